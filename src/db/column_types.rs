//! How the house's own types stand in columns.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};
use wonderpost_rules::{Seat, SeatSet};

/// Lets a type stand in columns of text by its name: it has `name()` and is read by `FromStr`.
macro_rules! text_column {
    ($type:ty) => {
        impl sqlx::Type<sqlx::Postgres> for $type {
            fn type_info() -> sqlx::postgres::PgTypeInfo {
                <str as sqlx::Type<sqlx::Postgres>>::type_info()
            }

            fn compatible(column: &sqlx::postgres::PgTypeInfo) -> bool {
                <str as sqlx::Type<sqlx::Postgres>>::compatible(column)
            }
        }

        impl sqlx::postgres::PgHasArrayType for $type {
            fn array_type_info() -> sqlx::postgres::PgTypeInfo {
                <&str as sqlx::postgres::PgHasArrayType>::array_type_info()
            }
        }

        impl sqlx::Encode<'_, sqlx::Postgres> for $type {
            fn encode_by_ref(
                &self,
                buffer: &mut sqlx::postgres::PgArgumentBuffer,
            ) -> std::result::Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <&str as sqlx::Encode<sqlx::Postgres>>::encode_by_ref(&self.name(), buffer)
            }
        }

        impl sqlx::Decode<'_, sqlx::Postgres> for $type {
            fn decode(value: sqlx::postgres::PgValueRef<'_>) -> std::result::Result<Self, sqlx::error::BoxDynError> {
                Ok(<&str as sqlx::Decode<sqlx::Postgres>>::decode(value)?.parse()?)
            }
        }
    };
}

pub(crate) use text_column;

/// A seat in a column of small integers: the rules know nothing of databases.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SeatNumber(pub Seat);

impl From<SeatNumber> for Seat {
    fn from(number: SeatNumber) -> Seat {
        number.0
    }
}

impl Type<Postgres> for SeatNumber {
    fn type_info() -> PgTypeInfo {
        <i16 as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for SeatNumber {
    fn array_type_info() -> PgTypeInfo {
        i16::array_type_info()
    }
}

impl Encode<'_, Postgres> for SeatNumber {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <i16 as Encode<Postgres>>::encode(i16::from(self.0.number()), buffer)
    }
}

impl Decode<'_, Postgres> for SeatNumber {
    fn decode(value: PgValueRef<'_>) -> Result<SeatNumber, BoxDynError> {
        let number = <i16 as Decode<Postgres>>::decode(value)?;
        Ok(SeatNumber(u8::try_from(number)?.try_into()?))
    }
}

/// Seats in a column of a table's projection, as they stand there: a damaged one can name seats that no table has, and is mended by
/// comparing.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent, no_pg_array)]
pub struct SeatList(Vec<i16>);

impl SeatList {
    pub fn contains(&self, seat: Seat) -> bool {
        self.0.contains(&i16::from(seat.number()))
    }

    pub fn numbers(&self) -> impl Iterator<Item = i16> {
        self.0.iter().copied()
    }
}

impl From<SeatSet> for SeatList {
    fn from(seats: SeatSet) -> SeatList {
        SeatList(seats.iter().map(|seat| i16::from(seat.number())).collect())
    }
}
