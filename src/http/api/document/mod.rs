//! The description of the API (OpenAPI 3.1), derived from the types that handlers take and give.

mod input;
mod operations;

use std::sync::LazyLock;

use actix_web::Handler;
use actix_web::http::Method;
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::http::api::document::input::{Inputs, Request};
use crate::http::api::idempotency::LONGEST_KEY;
use crate::http::api::problem::ProblemDocument;

/// The description of the API.
pub static OPENAPI: LazyLock<String> = LazyLock::new(|| {
    let mut document = Document::new();
    operations::describe(&mut document);
    document.finish().to_string()
});

const ABOUT: &str = "Everything a page can do. A player makes a token on their page and sends it as a bearer token. \
    Views are those of the pages: nothing is in them that the holder of the token may not know. \
    A post may carry an `Idempotency-Key` (up to 255 visible characters, a new one for each request): sent once more with the same \
    body it is answered the same, with `Idempotency-Replayed: true`, and done once; with another body it is refused with 422. \
    Keys are remembered for two days. A token that asks more than 20 times a second in the long run, or as the host has set, \
    is answered 429 with `Retry-After`.";

struct Document {
    paths: Map<String, Value>,
    /// What is read is described where it is sent.
    requests: SchemaGenerator,
    /// What is written gets a name among the components.
    answers: SchemaGenerator,
}

/// One operation, until it is said what it answers.
struct Operation<'a> {
    document: &'a mut Document,
    method: Method,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    needs_token: bool,
    request: Request,
}

impl Document {
    fn new() -> Document {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let requests = settings.clone().for_deserialize().with(|settings| settings.inline_subschemas = true);
        Document {
            paths: Map::new(),
            requests: requests.into_generator(),
            answers: settings.for_serialize().into_generator(),
        }
    }

    fn finish(mut self) -> Value {
        self.answers.subschema_for::<ProblemDocument>();
        json!({
            "openapi": "3.1.0",
            "info": {"title": "Wonderpost", "version": "1", "description": ABOUT},
            "servers": [{"url": "/api/v1"}],
            "paths": self.paths,
            "components": {
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                "schemas": self.answers.take_definitions(true),
                "parameters": {"IdempotencyKey": {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "required": false,
                    "description": "Sent once more, the request is answered the same and done once",
                    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
                }},
            },
        })
    }

    /// An operation: where it is, who carries it out, and what it is called. What it takes is read off the handler.
    fn on<F, Args>(
        &mut self,
        method: Method,
        path: &'static str,
        _: F,
        id: &'static str,
        summary: &'static str,
    ) -> Operation<'_>
    where
        F: Handler<Args>,
        Args: Inputs,
    {
        let request = Args::describe(&mut self.requests);
        // Whatever changes something is for holders of a token.
        let needs_token = method != Method::GET;
        Operation { document: self, method, path, id, summary, needs_token, request }
    }
}

impl Operation<'_> {
    /// It is for holders of a token only.
    fn with_token(mut self) -> Self {
        self.needs_token = true;
        self
    }

    /// It answers with this.
    fn answers<T: JsonSchema>(self) {
        let schema = self.document.answers.subschema_for::<T>();
        let content = json!({"application/json": {"schema": schema}});
        self.finish("200", json!({"description": "What was asked for", "content": content}));
    }

    /// It answers with text of this kind.
    fn answers_text(self, kind: &str, what: &str) {
        self.finish("200", json!({"description": what, "content": {kind: {"schema": {"type": "string"}}}}));
    }

    /// There is nothing to answer.
    fn done(self) {
        self.finish("204", json!({"description": "Done"}));
    }

    fn finish(self, status: &str, answer: Value) {
        let token = json!({"token": []});
        let mut described = json!({
            "operationId": self.id,
            "summary": self.summary,
            "security": if self.needs_token { json!([token]) } else { json!([{}, token]) },
            "responses": {
                status: answer,
                "default": {
                    "description": "A problem document (RFC 9457)",
                    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
                },
            },
        });
        let mut parameters = self.request.parameters(self.path);
        if self.method == Method::POST {
            parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
        }
        if !parameters.is_empty() {
            described["parameters"] = parameters.into();
        }
        if let Some(body) = self.request.body {
            described["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": body}}});
        }
        self.document.paths.entry(self.path).or_insert_with(|| json!({}))[self.method.as_str().to_lowercase()] =
            described;
    }
}
