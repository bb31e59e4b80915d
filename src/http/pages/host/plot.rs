//! Plots that the server draws: bars or lines over hours or days, with the same figures as a table.

/// The drawing's size, and the room for its labels.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 4.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 18.0;

/// How a plot is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Bars,
    Lines,
}

/// One row of figures.
pub struct Series {
    pub name: &'static str,
    /// `None` where there is nothing to show.
    pub values: Vec<Option<f64>>,
}

/// A plot as its template draws it.
pub struct Plot {
    pub id: String,
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub summary: String,
    pub bars: Vec<Bar>,
    pub lines: Vec<Line>,
    pub grid: Vec<GridLine>,
    pub labels: Vec<Label>,
    pub names: Vec<&'static str>,
    pub rows: Vec<TableRow>,
}

pub struct Bar {
    pub series: usize,
    pub x: String,
    pub y: String,
    pub width: String,
    pub height: String,
}

pub struct Line {
    pub series: usize,
    pub path: String,
}

pub struct GridLine {
    pub y: String,
    pub words: String,
}

pub struct Label {
    pub x: String,
    pub words: String,
}

/// A row of the table with the same figures.
pub struct TableRow {
    pub label: String,
    pub cells: Vec<String>,
}

/// What a plot is made of.
pub struct Draft<'a> {
    pub id: String,
    pub title: &'static str,
    pub shape: Shape,
    /// What values are counted in, after the number; nothing for plain numbers.
    pub unit: &'static str,
    /// What stands below each value, and how many values there are from one label to the next.
    pub labels: &'a [String],
    pub label_every: usize,
    pub series: Vec<Series>,
}

impl Draft<'_> {
    pub fn draw(self) -> Plot {
        let most = self.series.iter().flat_map(|series| series.values.iter().flatten()).copied().fold(0.0, f64::max);
        let top = round_up(most);
        let slots = self.labels.len().max(1) as f64;
        let slot = (WIDTH - LEFT - RIGHT) / slots;
        let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value / top);
        let middle = |place: usize| LEFT + (place as f64 + 0.5) * slot;
        let (mut bars, mut lines) = (Vec::new(), Vec::new());
        for (number, series) in self.series.iter().enumerate() {
            match self.shape {
                Shape::Bars => {
                    let width = slot * 0.8 / self.series.len() as f64;
                    let from = |place: usize| middle(place) - slot * 0.4 + number as f64 * width;
                    let values = series.values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?)));
                    bars.extend(values.filter(|(_, value)| *value > 0.0).map(|(place, value)| Bar {
                        series: number + 1,
                        x: length(from(place)),
                        y: length(y(value)),
                        width: length(width),
                        height: length(HEIGHT - BOTTOM - y(value)),
                    }));
                }
                Shape::Lines => lines.push(Line { series: number + 1, path: path(&series.values, middle, y) }),
            }
        }
        let words = |value: f64| format!("{}{}", number(value), self.unit);
        Plot {
            grid: [0.0, top / 2.0, top].map(|value| GridLine { y: length(y(value)), words: words(value) }).into(),
            labels: self
                .labels
                .iter()
                .enumerate()
                .filter(|(place, _)| place % self.label_every == self.label_every / 2)
                .map(|(place, label)| Label { x: length(middle(place)), words: label.clone() })
                .collect(),
            names: self.series.iter().map(|series| series.name).collect(),
            rows: self
                .labels
                .iter()
                .enumerate()
                .map(|(place, label)| TableRow {
                    label: label.clone(),
                    cells: self
                        .series
                        .iter()
                        .map(|series| series.values.get(place).copied().flatten().map_or("–".to_owned(), words))
                        .collect(),
                })
                .collect(),
            summary: summary(&self),
            id: self.id,
            title: self.title,
            bars,
            lines,
        }
    }
}

/// The highest value of each series, and for counts their sums, for those who do not see the drawing.
fn summary(draft: &Draft) -> String {
    let words = |value: f64| format!("{}{}", number(value), draft.unit);
    let told = draft.series.iter().map(|series| {
        let values = series.values.iter().flatten().copied();
        let most = words(values.clone().fold(0.0, f64::max));
        match draft.shape {
            Shape::Bars => format!("{}: {} in all, at most {most}", series.name, words(values.sum())),
            Shape::Lines => format!("{}: at most {most}", series.name),
        }
    });
    told.collect::<Vec<_>>().join("; ") + "."
}

/// A path through the values; a gap where there is none, and a dot where one stands alone.
fn path(values: &[Option<f64>], x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut drawing = false;
    for (place, value) in values.iter().enumerate() {
        let Some(value) = value else {
            drawing = false;
            continue;
        };
        let (x, y) = (length(x(place)), length(y(*value)));
        path += &if drawing { format!("L{x} {y}") } else { format!("M{x} {y}h.01") };
        drawing = true;
    }
    path
}

/// The next of 1, 2, 5, 10, 20 … that is no less.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let step = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].iter().map(|factor| factor * step).find(|bound| *bound >= value).unwrap_or(10.0 * step)
}

/// A length in the drawing.
fn length(value: f64) -> String {
    format!("{:.1}", value)
}

/// A figure as people read it: thousands are set apart, and small ones have a digit more.
fn number(value: f64) -> String {
    if value.fract() != 0.0 && value < 10.0 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_ends_at_a_round_number() {
        for (most, top) in [(0.0, 1.0), (1.0, 1.0), (3.0, 5.0), (7.0, 10.0), (1_240.0, 2_000.0), (0.3, 0.5)] {
            assert!((round_up(most) - top).abs() < 1e-9, "{most}");
        }
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(number(1_234_567.0), "1\u{202f}234\u{202f}567");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(12.4), "12");
    }

    #[test]
    fn a_plot_says_in_words_and_as_a_table_what_it_draws() {
        let labels: Vec<String> = ["10:00", "11:00"].map(str::to_owned).into();
        let series = vec![Series { name: "moves", values: vec![Some(2.0), Some(40.0)] }];
        let draft = Draft {
            id: "a".into(),
            title: "Moves",
            shape: Shape::Bars,
            unit: "",
            labels: &labels,
            label_every: 1,
            series,
        };
        let plot = draft.draw();
        assert_eq!(plot.summary, "moves: 42 in all, at most 40.");
        assert_eq!(plot.rows[1].cells, ["40"]);
        assert_eq!(plot.bars.len(), 2);
        assert_eq!(
            path(&[Some(1.0), None, Some(2.0), Some(3.0)], |x| x as f64, |y| y),
            "M0.0 1.0h.01M2.0 2.0h.01L3.0 3.0"
        );
    }
}
