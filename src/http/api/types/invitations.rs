//! Who was invited to a table.

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use uuid::Uuid;

use super::one_of;

#[derive(Serialize, JsonSchema)]
pub struct InvitedPeople {
    pub invitations: Vec<InvitedPerson>,
}

#[derive(Serialize, JsonSchema)]
pub struct InvitedPerson {
    pub id: Uuid,
    /// As you typed it; nobody else sees it
    pub address: Option<String>,
    /// Who it is, once they have accepted
    pub name: Option<String>,
    /// Who invited
    pub from: Option<String>,
    /// None as long as they have not answered
    #[schemars(schema_with = "answer")]
    pub answer: Option<&'static str>,
    pub invited_at: DateTime<Utc>,
}

fn answer(_: &mut SchemaGenerator) -> Schema {
    let answer = one_of(["accepted", "declined", "withdrawn"]);
    json_schema!({"anyOf": [answer, {"type": "null"}]})
}
