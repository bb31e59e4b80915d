//! What a handler takes, read off its arguments.

use actix_web::{HttpRequest, web};
use schemars::JsonSchema;
use schemars::generate::SchemaGenerator;
use serde_json::{Value, json};

use crate::http::AppState;
use crate::http::api::idempotency::NewTableId;
use crate::http::extract::api_user::ApiUser;

/// What is sent to an operation.
#[derive(Default)]
pub struct Request {
    /// The schemas of the parts of the path that are filled in, in order.
    path: Vec<Value>,
    query: Vec<Value>,
    pub body: Option<Value>,
}

impl Request {
    pub fn parameters(&self, path: &str) -> Vec<Value> {
        let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path = names
            .zip(&self.path)
            .map(|(name, schema)| json!({"name": name, "in": "path", "required": true, "schema": schema}));
        in_path.chain(self.query.iter().cloned()).collect()
    }
}

/// An argument of a handler. Most are of no concern to whoever sends the request.
pub trait Input {
    fn describe(_: &mut Request, _: &mut SchemaGenerator) {}
}

impl Input for web::Data<AppState> {}
impl Input for HttpRequest {}
impl Input for ApiUser {}
impl Input for NewTableId {}

impl<T: JsonSchema> Input for web::Json<T> {
    fn describe(request: &mut Request, generator: &mut SchemaGenerator) {
        request.body = Some(generator.subschema_for::<T>().into());
    }
}

impl<T: JsonSchema> Input for web::Path<T> {
    fn describe(request: &mut Request, generator: &mut SchemaGenerator) {
        let schema = Value::from(generator.subschema_for::<T>());
        request.path = match schema["prefixItems"].as_array() {
            Some(parts) => parts.clone(),
            None => vec![schema],
        };
    }
}

impl<T: JsonSchema> Input for web::Query<T> {
    fn describe(request: &mut Request, generator: &mut SchemaGenerator) {
        let mut schema = Value::from(generator.subschema_for::<T>());
        for (name, field) in schema["properties"].as_object_mut().into_iter().flatten() {
            let mut parameter = json!({"name": name, "in": "query", "required": false});
            if let Some(description) = field.as_object_mut().and_then(|field| field.remove("description")) {
                parameter["description"] = description;
            }
            // A query has no null: what is not wanted is left out.
            if let Some(kind) = field["type"].as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")) {
                field["type"] = kind.clone();
            }
            parameter["schema"] = field.take();
            request.query.push(parameter);
        }
    }
}

/// The arguments of a handler.
pub trait Inputs {
    fn describe(generator: &mut SchemaGenerator) -> Request;
}

macro_rules! inputs {
    ($($argument:ident)*) => {
        impl<$($argument: Input),*> Inputs for ($($argument,)*) {
            fn describe(_generator: &mut SchemaGenerator) -> Request {
                #[allow(unused_mut, reason = "a handler may take nothing")]
                let mut request = Request::default();
                $($argument::describe(&mut request, _generator);)*
                request
            }
        }
    };
}

inputs!();
inputs!(A);
inputs!(A B);
inputs!(A B C);
inputs!(A B C D);
inputs!(A B C D E);
