//! A position that still knows its game.

use std::any::Any;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Decided, Fact, FoldError, Position};
use crate::playout::play_out;
use crate::{
    AnyMove, Board, CallToAction, Catalogued, Chance, Decision, GameResult, Level, Line, MoveOffer, Picture,
    PlannedPrompt, Playout, PlayoutPlan, Recorder, Refusal, Scene, Seat, SeatSet, View, Viewer, decide_line,
    decide_move, fold_line,
};

fn no_prompt(name: &str, prompts: &[PlannedPrompt]) -> Refusal {
    let names: Vec<&str> = prompts.iter().map(|prompt| prompt.prompt).collect();
    Refusal::new(match names.as_slice() {
        [] => "Nothing can be answered in advance in this game.".to_owned(),
        names => format!("“{name}” cannot be answered in advance. What can: {}.", names.join(", ")),
    })
}

/// A typed state as a [`Position`].
pub(super) struct TypedPosition<R>(pub(super) R);

fn decided<R: Catalogued>(decision: Decision<R>) -> Decided {
    Decided {
        facts: decision.events.iter().map(Fact::new).collect(),
        awaiting: decision.awaiting,
        draws: decision.draws,
        revealing: decision.revealing,
        foreseeable: decision.foreseeable,
        reversible: decision.reversible,
        position: Box::new(TypedPosition(decision.state)),
    }
}

impl<R: Catalogued> Position for TypedPosition<R> {
    fn boxed_clone(&self) -> Box<dyn Position> {
        Box::new(TypedPosition(self.0.clone()))
    }

    fn set_up(&self, chance: &mut dyn Chance) -> Result<Decided, Refusal> {
        let mut record = Recorder::new(self.0.clone(), chance);
        R::set_up(&mut record)?;
        Ok(decided(record.finish()))
    }

    fn decide_move(&self, seat: Seat, mv: &AnyMove, chance: &mut dyn Chance) -> Result<Decided, Refusal> {
        decide_move(&self.0, seat, mv.typed::<R>()?.clone(), chance).map(decided)
    }

    fn decide_line(&self, seat: Seat, line: &str, chance: &mut dyn Chance) -> Result<Decided, Refusal> {
        decide_line(&self.0, seat, line, chance).map(decided)
    }

    fn read_line(&self, line: &str) -> Result<AnyMove, Refusal> {
        fold_line(line).parse::<R::Move>().map(AnyMove::new).map_err(|refusal| refusal.quoting(line))
    }

    fn read_lines(&self, seat: Seat, lines: &[&str]) -> Result<Vec<Line>, (usize, Refusal)> {
        let prompts = self.0.plannable_prompts(seat);
        let mut moves = Vec::new();
        let mut read = Vec::with_capacity(lines.len());
        for (place, typed) in lines.iter().enumerate() {
            let line = fold_line(typed);
            let (named, line) = match line.split_once(':') {
                Some((prompt, line)) => (Some(prompt.trim()), line.trim()),
                None => (None, line.as_str()),
            };
            let prompt = match named {
                Some(name) => match prompts.iter().find(|prompt| prompt.prompt == name) {
                    Some(prompt) => Some(prompt.prompt),
                    None => return Err((place, no_prompt(name, &prompts).quoting(typed))),
                },
                None => None,
            };
            let mv: R::Move = line.parse().map_err(|refusal: Refusal| (place, refusal.quoting(typed)))?;
            match prompt.or_else(|| R::implied_prompt(&mv, &moves)) {
                Some(prompt) if R::can_answer(prompt, &mv) => {
                    read.push(Line::Plan { prompt, answer: AnyMove::new(mv) });
                }
                Some(prompt) => return Err((place, Refusal::new(format!("“{mv}” is no answer to “{prompt}”.")))),
                None => {
                    read.push(Line::Move(AnyMove::new(mv.clone())));
                    moves.push(mv);
                }
            }
        }
        Ok(read)
    }

    fn prompt(&self, seat: Seat) -> Option<&'static str> {
        self.0.prompt(seat)
    }

    fn call_to_action(&self, seat: Seat) -> CallToAction {
        if R::CALLS { R::call_to_action(&View::new(&self.0, Viewer::Seat(seat))) } else { CallToAction::Turn(None) }
    }

    fn plannable_prompts(&self, seat: Seat) -> Vec<PlannedPrompt> {
        self.0.plannable_prompts(seat)
    }

    fn can_answer(&self, prompt: &str, mv: &AnyMove) -> bool {
        mv.typed::<R>().is_ok_and(|mv| R::can_answer(prompt, mv))
    }

    fn fold(&mut self, body: &RawValue) -> Result<(), FoldError> {
        self.0.apply(&serde_json::from_str(body.get())?);
        Ok(())
    }

    fn describe_event(&self, body: &RawValue, viewer: Viewer) -> Result<Option<String>, FoldError> {
        Ok(self.0.describe_event(&serde_json::from_str(body.get())?, viewer))
    }

    fn aftermath(&self, body: &RawValue, seat: Seat) -> Result<Option<String>, FoldError> {
        Ok(self.0.aftermath(&serde_json::from_str(body.get())?, seat))
    }

    fn awaiting(&self) -> SeatSet {
        self.0.awaiting()
    }

    fn concealed_moves(&self, seat: Seat) -> usize {
        self.0.concealed_moves(seat)
    }

    fn result(&self) -> Option<GameResult> {
        self.0.result()
    }

    fn scores(&self) -> Vec<Option<i64>> {
        self.0.scores()
    }

    fn ranking_key(&self) -> Vec<i64> {
        self.0.ranking_key()
    }

    fn legal_moves(&self, seat: Seat) -> Vec<String> {
        if !self.0.awaiting().contains(seat) {
            return Vec::new();
        }
        self.0.legal_moves(seat).iter().map(R::Move::to_string).collect()
    }

    fn default_move(&self, seat: Seat) -> Option<AnyMove> {
        self.0.awaiting().contains(seat).then(|| self.0.default_move(seat)).flatten().map(AnyMove::new)
    }

    fn view(&self, viewer: Viewer) -> Value {
        serde_json::to_value(View::new(&self.0, viewer)).expect("views are plain data")
    }

    fn board(&self, before: Option<&dyn Position>, viewer: Viewer, scene: &Scene) -> Board {
        let before = before.and_then(|before| before.as_any().downcast_ref::<TypedPosition<R>>());
        let before = before.map(|before| View::new(&before.0, viewer));
        R::board(&View::new(&self.0, viewer), before.as_ref(), scene)
    }

    fn describe_move(&self, seat: Seat, mv: &AnyMove) -> String {
        match mv.typed::<R>() {
            Ok(typed) => R::describe_move(&View::new(&self.0, Viewer::Seat(seat)), typed),
            Err(_) => mv.to_string(),
        }
    }

    fn asks_first(&self, seat: Seat, mv: &AnyMove) -> bool {
        mv.typed::<R>().is_ok_and(|typed| R::asks_first(&View::new(&self.0, Viewer::Seat(seat)), typed))
    }

    fn text(&self, viewer: Viewer) -> String {
        R::text(&View::new(&self.0, viewer))
    }

    fn table_in_words(&self, viewer: Viewer) -> String {
        R::table_in_words(&View::new(&self.0, viewer))
    }

    fn question(&self, seat: Seat) -> String {
        let awaited = self.0.awaiting().contains(seat);
        if awaited { R::question(&View::new(&self.0, Viewer::Seat(seat))) } else { String::new() }
    }

    fn offers(&self, seat: Seat) -> Vec<MoveOffer> {
        if !self.0.awaiting().contains(seat) {
            return Vec::new();
        }
        let view = View::new(&self.0, Viewer::Seat(seat));
        let offer = |mv: &R::Move| MoveOffer {
            line: mv.to_string(),
            words: R::describe_move(&view, mv),
            brings: R::brings(&view, mv),
        };
        // A view has its moves in another order: that of their letters.
        self.0.legal_moves(seat).iter().map(offer).collect()
    }

    fn picture(&self, viewer: Viewer) -> Picture {
        R::picture(&View::new(&self.0, viewer))
    }

    fn showpiece(&self, viewer: Viewer) -> Picture {
        R::showpiece(&View::new(&self.0, viewer))
    }

    fn bot(&self, level: Level, seat: Seat, rng: &mut dyn rand::Rng) -> Vec<AnyMove> {
        let view = View::new(&self.0, Viewer::Seat(seat));
        R::bot(level, &view, rng).into_iter().map(AnyMove::new).collect()
    }

    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> Box<dyn Position> {
        Box::new(TypedPosition(self.0.resample_hidden(viewer, rng)))
    }

    fn play_out(&self, plan: &PlayoutPlan) -> Option<Playout> {
        play_out(&self.0, None, plan)
    }

    fn play_out_after(&self, seat: Seat, mv: &AnyMove, plan: &PlayoutPlan) -> Option<Playout> {
        play_out(&self.0, Some((seat, mv.typed::<R>().ok()?.clone())), plan)
    }

    fn snapshot(&self) -> String {
        serde_json::to_string(&self.0).expect("states are plain data")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
