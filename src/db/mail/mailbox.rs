//! Letters that are kept to be read at `/mailbox`, where there is no mail server.

use crate::db::mail::outbox::{KeptLetter, KeptPage};
use crate::db::{Result, Store};

impl Store {
    /// There is no mail server: what a letter says is kept to be read here.
    pub async fn keep_letter(
        &self,
        id: i64,
        to: &str,
        subject: &str,
        text: &str,
        html: &str,
        picture: Option<&[u8]>,
    ) -> Result<()> {
        sqlx::query!(
            "update letter set to_address = $2, subject = $3, text_body = $4, html_body = $5, picture = $6 where id = $1",
            id,
            to,
            subject,
            text,
            html,
            picture,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The letters that were kept, the newest first.
    pub async fn kept_letters(&self, most: i64) -> Result<Vec<KeptLetter>> {
        let rows = sqlx::query_as!(
            KeptLetter,
            r#"select id, to_address as "to!", subject as "subject!", text_body as "text!", sent_at as "at!"
               from letter where to_address is not null and sent_at is not null order by sent_at desc, id desc limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The page of a letter that was kept.
    pub async fn page_of_kept_letter(&self, id: i64) -> Result<Option<KeptPage>> {
        let page = sqlx::query_as!(
            KeptPage,
            r#"select html_body as "html!", picture from letter where id = $1 and html_body is not null"#,
            id,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(page)
    }
}
