//! Opens the window on a file: `cargo run -p sinew_app --example window -- FILE`

fn main() -> Result<(), sinew_app::AppError> {
    let path = std::env::args_os().nth(1).map(Into::into);
    sinew_app::run(sinew_app::WindowOptions { path, ..Default::default() })
}
