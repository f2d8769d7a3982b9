//! The orbit camera: where the eye is, and how pixels and scene points map to each other.

use glam::{Mat3, Mat4, Quat, Vec2, Vec3};
use sinew_edit::pick::{Ray, project};
use sinew_geometry::Aabb;
use sinew_render::Frame;

/// A camera that looks at a target from a distance. Y is up; at yaw 0 it looks along −Z, at the front of a glTF
/// character, which faces +Z.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Camera {
    /// What it looks at, scene space.
    pub target: Vec3,
    /// Turn about Y, degrees; 90 looks from +X.
    pub yaw_deg: f32,
    /// Above the horizon, degrees, −90 to 90.
    pub pitch_deg: f32,
    /// From the eye to the target, scene units.
    pub distance: f32,
    /// Vertical field of view, degrees.
    pub fov_deg: f32,
}

/// Room around a framed model.
const MARGIN: f32 = 1.12;

/// A camera looking at a picture of a certain size.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The camera.
    pub camera: Camera,
    /// Width and height of the picture, physical pixels, at least 1.
    pub size_px: Vec2,
}

/// Views with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedView {
    /// From +Z.
    Front,
    /// From +X.
    Side,
    /// From +Y.
    Top,
}

impl NamedView {
    /// Yaw and pitch, degrees.
    pub const fn yaw_pitch_deg(self) -> [f32; 2] {
        match self {
            Self::Front => [0.0, 0.0],
            Self::Side => [90.0, 0.0],
            Self::Top => [0.0, 90.0],
        }
    }
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::ZERO, yaw_deg: 24.0, pitch_deg: 10.0, distance: 3.0, fov_deg: 34.0 }
    }
}

impl Camera {
    /// From view space (x right, y up, looking along −z) to scene space.
    pub fn scene_from_view(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation(), self.eye())
    }

    /// Where the eye is, scene space.
    pub fn eye(&self) -> Vec3 {
        self.target + self.rotation() * Vec3::Z * self.distance
    }

    /// Turns around a scene point, which stays where it is on screen, by a pointer motion in points.
    pub fn orbit(&mut self, pivot: Vec3, delta_points: Vec2) {
        let view_from_scene = self.rotation().inverse();
        self.yaw_deg = (self.yaw_deg - delta_points.x * 0.4).rem_euclid(360.0);
        self.pitch_deg = (self.pitch_deg + delta_points.y * 0.4).clamp(-90.0, 90.0);
        self.target = pivot + self.rotation() * (view_from_scene * (self.target - pivot));
    }

    /// Puts the target as deep in the picture as a point is, so that moving and zooming follow that point. The picture
    /// stays as it is.
    pub fn anchor(&mut self, point: Vec3) {
        let (eye, forward) = (self.eye(), self.rotation() * Vec3::NEG_Z);
        let depth = (point - eye).dot(forward);
        if depth > self.distance * 1e-3 && depth.is_finite() {
            self.target = eye + forward * depth;
            self.distance = depth;
        }
    }

    /// Looks along named angles at the same target.
    pub fn look(&mut self, [yaw_deg, pitch_deg]: [f32; 2]) {
        self.yaw_deg = yaw_deg.rem_euclid(360.0);
        self.pitch_deg = pitch_deg.clamp(-90.0, 90.0);
    }

    /// Moves target and distance so that the points just fit a picture of this shape. Without a finite point nothing
    /// changes.
    pub fn frame(&mut self, points: &[Vec3], size_px: Vec2) {
        let bounds = Aabb::from_points(points);
        if bounds.is_empty() {
            return;
        }
        self.target = bounds.center();
        let scene_from_view = Mat3::from_quat(self.rotation());
        let view_from_scene = scene_from_view.transpose();
        let tan_v = (0.5 * self.fov_deg.to_radians()).tan();
        let tan_h = tan_v * size_px.x.max(1.0) / size_px.y.max(1.0);
        let tan = Vec2::new(tan_h, tan_v);
        // The picture's middle follows what is seen of the points, which moves as the distance does: a few rounds.
        for _ in 0..4 {
            let seen = || points.iter().filter(|p| p.is_finite()).map(|&p| view_from_scene * (p - self.target));
            let needed = seen().map(|at| (at.truncate().abs() / tan).max_element() + at.z).fold(0.0, f32::max);
            let distance = needed * MARGIN;
            self.distance = if distance > 0.0 && distance.is_finite() { distance } else { 1.0 };
            let on_screen = |at: Vec3| at.truncate() / (self.distance - at.z).max(1e-20);
            let (low, high) = seen()
                .map(on_screen)
                .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
            let middle = (low + high) * 0.5 * self.distance;
            if !middle.is_finite() {
                break;
            }
            self.target += scene_from_view * middle.extend(0.0);
        }
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw_deg.to_radians()) * Quat::from_rotation_x(-self.pitch_deg.to_radians())
    }
}

impl View {
    /// A view of a picture of this size.
    pub fn new(camera: Camera, size_px: [u32; 2]) -> Self {
        Self { camera, size_px: Vec2::new(size_px[0].max(1) as f32, size_px[1].max(1) as f32) }
    }

    /// The projection: reversed depth, near plane at a small part of the distance, no far plane.
    pub fn clip_from_view(&self) -> Mat4 {
        let f = 1.0 / (0.5 * self.camera.fov_deg.to_radians()).tan();
        let aspect = self.size_px.x / self.size_px.y;
        let near = (self.camera.distance * 0.002).max(f32::MIN_POSITIVE);
        Mat4::from_cols_array(&[f / aspect, 0., 0., 0., 0., f, 0., 0., 0., 0., 0., -1., 0., 0., near, 0.])
    }

    /// From scene space to clip space.
    pub fn clip_from_scene(&self) -> Mat4 {
        self.clip_from_view() * self.camera.scene_from_view().inverse()
    }

    /// The camera as the renderer wants it.
    pub fn frame(&self, pixels_per_point: f32) -> Frame {
        Frame::new(self.clip_from_view(), self.camera.scene_from_view(), pixels_per_point)
    }

    /// The ray through a pixel, counted from the top left.
    pub fn ray_at(&self, px: Vec2) -> Ray {
        let ndc = (px / self.size_px * 2.0 - 1.0) * Vec2::new(1.0, -1.0);
        let tan = (0.5 * self.camera.fov_deg.to_radians()).tan();
        let aspect = self.size_px.x / self.size_px.y;
        let direction = Vec3::new(ndc.x * tan * aspect, ndc.y * tan, -1.0);
        Ray { origin: self.camera.eye(), direction: self.camera.rotation() * direction }
    }

    /// Where a scene point is, pixels from the top left; `None` behind the eye.
    pub fn px_of(&self, point: Vec3) -> Option<Vec2> {
        project(self.clip_from_scene(), self.size_px, point)
    }

    /// The point that is seen nearest to a pixel; of those behind the eye none.
    pub fn nearest(&self, points: &[Vec3], px: Vec2) -> Option<Vec3> {
        let seen = points.iter().filter_map(|&point| Some((self.px_of(point)?.distance_squared(px), point)));
        let finite = seen.filter(|(distance, _)| distance.is_finite());
        finite.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, point)| point)
    }

    /// How many pixels a scene unit is at a point.
    pub fn px_per_unit(&self, point: Vec3) -> f32 {
        let depth = (point - self.camera.eye()).dot(self.camera.rotation() * Vec3::NEG_Z);
        let tan = (0.5 * self.camera.fov_deg.to_radians()).tan();
        self.size_px.y * 0.5 / (tan * depth.max(self.camera.distance * 1e-3))
    }

    /// The camera moved in its own plane so that the target follows the pointer.
    #[must_use]
    pub fn panned(&self, delta_px: Vec2) -> Camera {
        let mut camera = self.camera;
        let units = delta_px / self.px_per_unit(camera.target);
        camera.target += camera.rotation() * Vec3::new(-units.x, units.y, 0.0);
        camera
    }

    /// The camera moved toward (`factor` below 1) or away from what is under the pointer, which stays where it is on
    /// screen.
    #[must_use]
    pub fn zoomed(&self, factor: f32, pointer_px: Vec2, bounds: Aabb) -> Camera {
        let mut camera = self.camera;
        let largest = bounds.diagonal().max(1e-6) * 50.0;
        let smallest = bounds.diagonal().max(1e-6) * 2e-3;
        let distance = (camera.distance * factor).clamp(smallest.min(camera.distance), largest.max(camera.distance));
        let real_factor = distance / camera.distance;
        let from_center = (pointer_px - self.size_px * 0.5) * Vec2::new(1.0, -1.0) / self.px_per_unit(camera.target);
        let toward = camera.rotation() * from_center.extend(0.0);
        camera.target += toward * (1.0 - real_factor);
        camera.distance = distance;
        camera
    }
}

/// The corners of a box.
pub fn corners(bounds: Aabb) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize, axis: usize| if i & bit == 0 { bounds.min[axis] } else { bounds.max[axis] };
        Vec3::new(pick(1, 0), pick(2, 1), pick(4, 2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> Aabb {
        Aabb { min: Vec3::new(-0.8, 0.0, -0.2), max: Vec3::new(0.8, 1.8, 0.3) }
    }

    #[test]
    fn a_framed_box_is_inside_the_picture_and_fills_it_from_every_side() {
        for size_px in [[800, 600], [300, 900], [1, 1], [8000, 10]] {
            for angles in [[0.0, 0.0], [90.0, 0.0], [0.0, 90.0], [35.0, -20.0]] {
                let mut view = View::new(Camera::default(), size_px);
                view.camera.look(angles);
                view.camera.frame(&corners(person()), view.size_px);
                let px: Vec<Vec2> = corners(person()).iter().filter_map(|&c| view.px_of(c)).collect();
                assert_eq!(px.len(), 8);
                let share =
                    px.iter().map(|p| ((*p / view.size_px) * 2.0 - 1.0).abs().max_element()).fold(0.0, f32::max);
                assert!(share < 1.0 && share > 0.6, "{size_px:?} {angles:?}: {share}");
            }
        }
    }

    #[test]
    fn the_front_view_sees_plus_z_and_left_stays_left() {
        let mut view = View::new(Camera::default(), [400, 400]);
        view.camera.look(NamedView::Front.yaw_pitch_deg());
        view.camera.frame(&corners(person()), view.size_px);
        assert!(view.camera.eye().z > 1.0);
        let right = view.px_of(Vec3::new(0.5, 1.0, 0.0)).expect("in front").x;
        assert!(right > 200.0);
    }

    #[test]
    fn a_ray_through_a_projected_point_meets_it() {
        let mut view = View::new(Camera::default(), [1234, 777]);
        view.camera.frame(&corners(person()), view.size_px);
        for point in corners(person()) {
            let ray = view.ray_at(view.px_of(point).expect("in front"));
            let along = (point - ray.origin).dot(ray.direction) / ray.direction.length_squared();
            assert!((ray.origin + ray.direction * along).distance(point) < 1e-4);
        }
    }

    #[test]
    fn an_anchor_keeps_the_picture_and_turning_around_it_keeps_it_in_place() {
        let mut view = View::new(Camera::default(), [1000, 700]);
        view.camera.frame(&corners(person()), view.size_px);
        let (elbow, foot) = (Vec3::new(0.5, 1.2, 0.3), Vec3::new(-0.1, 0.0, 0.2));
        let before = [elbow, foot].map(|point| view.px_of(point).expect("in front"));
        view.camera.anchor(elbow);
        let after = [elbow, foot].map(|point| view.px_of(point).expect("in front"));
        assert!(before[0].distance(after[0]) < 0.01 && before[1].distance(after[1]) < 0.01);
        view.camera.orbit(elbow, Vec2::new(150.0, 60.0));
        assert!(before[0].distance(view.px_of(elbow).expect("in front")) < 0.05);
        assert!(before[1].distance(view.px_of(foot).expect("in front")) > 10.0);
        let closer = View { camera: view.zoomed(0.01, before[0], person()), ..view };
        assert!(closer.px_of(elbow).expect("never passed through").distance(before[0]) < 1.0);
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer_and_panning_follows_it() {
        let mut view = View::new(Camera::default(), [1000, 700]);
        view.camera.frame(&corners(person()), view.size_px);
        let pointer = Vec2::new(250.0, 500.0);
        let ray = view.ray_at(pointer);
        let plane = ray.origin + ray.direction * view.camera.distance;
        let closer = View { camera: view.zoomed(0.5, pointer, person()), ..view };
        assert!(closer.camera.distance < view.camera.distance * 0.51);
        assert!(closer.px_of(plane).expect("in front").distance(pointer) < 0.5);
        let moved = View { camera: view.panned(Vec2::new(40.0, -30.0)), ..view };
        let before = view.px_of(view.camera.target).expect("in front");
        let after = moved.px_of(view.camera.target).expect("in front");
        assert!((after - before).distance(Vec2::new(40.0, -30.0)) < 0.5);
    }
}
