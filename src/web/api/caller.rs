//! Who asks: the holder of a token, or nobody.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};

use super::problem::ApiProblem;
use crate::players::sign_in::Token;
use crate::store::patiently;
use crate::tables::{Caller, PlayerId};
use crate::web::House;
use crate::web::me_pages::TOKEN_PREFIX;
use crate::web::problem::Problem;

/// Whoever asks. A token that is not known is refused rather than taken for nobody's.
pub struct Asker(pub Option<Caller>);

impl Asker {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }

    /// The caller, where a token is needed.
    pub fn caller(&self) -> Result<&Caller, ApiProblem> {
        self.0.as_ref().ok_or(ApiProblem(Problem::NoToken))
    }
}

impl FromRequest for Asker {
    type Error = ApiProblem;
    type Future = Pin<Box<dyn Future<Output = Result<Asker, ApiProblem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let house = request.app_data::<web::Data<House>>().cloned();
        let header = request.headers().get(AUTHORIZATION).map(|value| value.to_str().unwrap_or_default().to_owned());
        Box::pin(async move {
            let Some(header) = header else { return Ok(Asker(None)) };
            let house = house.ok_or_else(|| Problem::Internal("the house is not there".into()))?;
            let token = header.strip_prefix("Bearer ").and_then(|text| text.trim().strip_prefix(TOKEN_PREFIX));
            let token_digest = token.and_then(Token::parse).ok_or(Problem::NoToken)?.digest();
            let player = patiently(|| house.tables.store.player_of_api_token(&token_digest)).await?;
            let player = PlayerId(player.ok_or(Problem::NoToken)?);
            Ok(Asker(Some(Caller { player, token_digest })))
        })
    }
}
