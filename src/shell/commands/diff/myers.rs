//! The fewest lines that must go and come, after Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
//!
//! Where several answers are as short, this is the one that GNU's `diff` mostly gives, which no crate's is.

/// Beyond this many steps from both ends a shortest answer is not worth its time.
const MAX_STEPS: isize = 1000;

/// For each line of both sides whether it has no counterpart.
pub(super) fn changed<T: PartialEq>(old: &[T], new: &[T]) -> (Vec<bool>, Vec<bool>) {
    let (mut ours, mut theirs) = (vec![true; old.len()], vec![true; new.len()]);
    let mut boxes = vec![(0..old.len(), 0..new.len())];
    while let Some((mut one, mut other)) = boxes.pop() {
        let mut keep = |x: usize, y: usize| (ours[x], theirs[y]) = (false, false);
        while !one.is_empty() && !other.is_empty() && old[one.start] == new[other.start] {
            keep(one.start, other.start);
            (one.start, other.start) = (one.start + 1, other.start + 1);
        }
        while !one.is_empty() && !other.is_empty() && old[one.end - 1] == new[other.end - 1] {
            (one.end, other.end) = (one.end - 1, other.end - 1);
            keep(one.end, other.end);
        }
        if !one.is_empty() && !other.is_empty() {
            let (x, y) = middle(&old[one.clone()], &new[other.clone()]);
            let (x, y) = (one.start + x, other.start + y);
            boxes.push((one.start..x, other.start..y));
            boxes.push((x..one.end, y..other.end));
        }
    }
    (ours, theirs)
}

/// The furthest that paths have come on each diagonal: a path on diagonal `k` is as many lines further in the old text
/// than in the new one.
struct Front {
    furthest: Vec<isize>,
    zero: isize,
}

impl Front {
    fn at(&self, diagonal: isize) -> isize {
        self.furthest[(self.zero + diagonal) as usize]
    }

    fn set(&mut self, diagonal: isize, x: isize) {
        self.furthest[(self.zero + diagonal) as usize] = x;
    }
}

/// A point on a shortest path, met from both ends. The texts begin and end with different lines.
fn middle<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let (width, height) = (old.len() as isize, new.len() as isize);
    let front = |unset: isize| Front { furthest: vec![unset; (width + height + 3) as usize], zero: height + 1 };
    // From the start, and from the end.
    let (mut ahead, mut back) = (front(-1), front(isize::MAX));
    let delta = width - height;
    ahead.set(0, 0);
    back.set(delta, width);
    for step in 1.. {
        // Diagonals beyond the box have no part in a path.
        let reach = |center: isize| {
            let inside = move |diagonal: &isize| (-height..=width).contains(diagonal);
            (0..=step).map(move |turn| center + step - 2 * turn).filter(inside)
        };
        for diagonal in reach(0) {
            let (below, above) = (ahead.at(diagonal - 1), ahead.at(diagonal + 1));
            let mut x = if below < above { above } else { below + 1 };
            while x < width && x - diagonal < height && old[x as usize] == new[(x - diagonal) as usize] {
                x += 1;
            }
            ahead.set(diagonal, x);
            if delta % 2 != 0 && (diagonal - delta).abs() < step && back.at(diagonal) <= x {
                return (x as usize, (x - diagonal) as usize);
            }
        }
        for diagonal in reach(delta) {
            let (below, above) = (back.at(diagonal - 1), back.at(diagonal + 1));
            let mut x = if below < above { below } else { above - 1 };
            while x > 0 && x - diagonal > 0 && old[x as usize - 1] == new[(x - diagonal) as usize - 1] {
                x -= 1;
            }
            back.set(diagonal, x);
            if delta % 2 == 0 && diagonal.abs() <= step && x <= ahead.at(diagonal) {
                return (x as usize, (x - diagonal) as usize);
            }
        }
        if step >= MAX_STEPS {
            break;
        }
    }
    let on_path = |diagonal: isize| {
        let x = ahead.at(diagonal).min(width).min(height + diagonal);
        (x, x - diagonal)
    };
    let points = (-height..=width).filter(|diagonal| ahead.at(*diagonal) >= 0).map(on_path);
    let best = points.filter(|(_, y)| *y >= 0).max_by_key(|(x, y)| x + y).unwrap_or((0, height));
    (best.0 as usize, best.1 as usize)
}
