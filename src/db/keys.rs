//! Keys of the house.

use crate::db::{Result, Store};

impl Store {
    /// The key of this name. The first to ask brings one along; it then stays.
    pub async fn house_key(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        sqlx::query!("insert into house_key (name, key) values ($1, $2) on conflict do nothing", name, fresh)
            .execute(&self.pool)
            .await?;
        let key = sqlx::query_scalar!("select key from house_key where name = $1", name).fetch_one(&self.pool).await?;
        Ok(key)
    }
}
