//! Finds out whose token a call comes with, before anything else is looked at.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{HttpMessage, ResponseError};

use crate::http::api::problem::ApiProblem;
use crate::http::extract::api_user::ApiUser;
use crate::http::extract::session::app;
use crate::http::problem::Problem;

/// Middleware of the API: lets the handlers extract an [`ApiUser`].
pub async fn authenticate(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match identify(&mut request).await {
        Ok(user) => {
            request.extensions_mut().insert(user);
            Ok(next.call(request).await?.map_into_left_body())
        }
        Err(problem) => Ok(request.into_response(problem.error_response()).map_into_right_body()),
    }
}

async fn identify(request: &mut ServiceRequest) -> Result<ApiUser, ApiProblem> {
    let app = app(request.request())?;
    let user = ApiUser::authenticate(&app, request.request()).await?;
    if user.0.is_some() && !request.method().is_safe() {
        let body = request.extract::<Bytes>().await.map_err(|_| Problem::Unreadable)?;
        // A list would be taken for the values of an object, in their order.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(Problem::Refused("The body has to be a JSON object, and is a list.".into()).into());
        }
        request.set_payload(body.into());
    }
    Ok(user)
}
