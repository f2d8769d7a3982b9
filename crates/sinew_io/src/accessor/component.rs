//! Component types (glTF 2.0 §3.6.2.2): how one number is stored.

/// How one number is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// 5120
    I8,
    /// 5121
    U8,
    /// 5122
    I16,
    /// 5123
    U16,
    /// 5125
    U32,
    /// 5126
    F32,
}

impl Component {
    /// The type that a number in the JSON stands for.
    pub const fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// The number that stands for it in the JSON.
    pub const fn code(self) -> u64 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// Bytes of one number.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The specification's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "BYTE",
            Self::U8 => "UNSIGNED_BYTE",
            Self::I16 => "SHORT",
            Self::U16 => "UNSIGNED_SHORT",
            Self::U32 => "UNSIGNED_INT",
            Self::F32 => "FLOAT",
        }
    }
}

/// A number as it is stored.
pub(super) trait Stored: Copy {
    /// The number at the start of `bytes`, which are long enough.
    fn at(bytes: &[u8]) -> Self;
    /// Its value; `normalized` integers by the rule of glTF 2.0 §3.6.2.2.
    fn value(self, normalized: bool) -> f32;
}

macro_rules! stored {
    ($($ty:ty => |$number:ident, $normalized:ident| $value:expr;)*) => { $(
        impl Stored for $ty {
            #[inline]
            fn at(bytes: &[u8]) -> Self {
                let mut number = [0; size_of::<Self>()];
                number.copy_from_slice(&bytes[..size_of::<Self>()]);
                Self::from_le_bytes(number)
            }

            #[inline]
            fn value(self, $normalized: bool) -> f32 {
                let $number = self;
                $value
            }
        }
    )* };
}

stored! {
    i8 => |c, normalized| if normalized { (c as f32 / 127.0).max(-1.0) } else { c as f32 };
    u8 => |c, normalized| if normalized { c as f32 / 255.0 } else { c as f32 };
    i16 => |c, normalized| if normalized { (c as f32 / 32767.0).max(-1.0) } else { c as f32 };
    u16 => |c, normalized| if normalized { c as f32 / 65535.0 } else { c as f32 };
    u32 => |c, normalized| if normalized { (c as f64 / 4294967295.0) as f32 } else { c as f32 };
    f32 => |c, _normalized| c;
}
