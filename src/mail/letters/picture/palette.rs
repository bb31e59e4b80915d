//! PNG with a palette: drawings have few colours, and a third of the bytes will do.

use resvg::tiny_skia::Pixmap;

/// The most colours that a palette has.
const COLOURS: usize = 256;

/// Colours that differ in the last bits alone are one colour: five bits of red, six of green, five of blue.
fn shade(red: u8, green: u8, blue: u8) -> usize {
    usize::from(red >> 3) << 11 | usize::from(green >> 2) << 5 | usize::from(blue >> 3)
}

/// All points of a shade: how many, and the sums of their colours.
#[derive(Clone, Copy, Default)]
struct Tally {
    points: u32,
    sums: [u32; 3],
}

impl Tally {
    fn mean(&self) -> [u8; 3] {
        self.sums.map(|sum| u8::try_from(sum / self.points.max(1)).unwrap_or(u8::MAX))
    }
}

/// Writes a picture that covers all its points.
pub fn png(points: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut tallies = vec![Tally::default(); 1 << 16];
    for point in points.pixels() {
        let tally = &mut tallies[shade(point.red(), point.green(), point.blue())];
        tally.points += 1;
        tally.sums[0] += u32::from(point.red());
        tally.sums[1] += u32::from(point.green());
        tally.sums[2] += u32::from(point.blue());
    }
    let mut shades: Vec<usize> = (0..tallies.len()).filter(|shade| tallies[*shade].points > 0).collect();
    // The most frequent first; equal ones in any order, as long as it is always the same.
    shades.sort_by_key(|shade| std::cmp::Reverse(tallies[*shade].points));
    let palette: Vec<[u8; 3]> = shades.iter().take(COLOURS).map(|shade| tallies[*shade].mean()).collect();
    let mut places = vec![0u8; tallies.len()];
    for (number, shade) in shades.iter().enumerate() {
        places[*shade] = u8::try_from(number).unwrap_or_else(|_| nearest(&palette, tallies[*shade].mean()));
    }
    let indexed: Vec<u8> =
        points.pixels().iter().map(|point| places[shade(point.red(), point.green(), point.blue())]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, points.width(), points.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indexed)?;
    writer.finish()?;
    Ok(bytes)
}

fn nearest(palette: &[[u8; 3]], colour: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        other.iter().zip(colour).map(|(one, other)| (i32::from(*one) - i32::from(other)).pow(2)).sum()
    };
    let nearest = palette.iter().enumerate().min_by_key(|(_, colour)| distance(colour));
    nearest.and_then(|(place, _)| u8::try_from(place).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Color;

    use super::*;

    #[test]
    fn a_plain_colour_is_kept() {
        let mut points = Pixmap::new(3, 2).unwrap();
        points.fill(Color::from_rgba8(250, 3, 77, 255));
        let bytes = png(&points).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, [250, 3, 77].repeat(6));
    }

    #[test]
    fn of_two_colours_the_nearer_is_taken() {
        assert_eq!(nearest(&[[0, 0, 0], [200, 0, 0]], [120, 0, 0]), 1);
    }
}
