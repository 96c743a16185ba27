internal import TerminalScreen

/// The visible range of a longer text.
struct TopScroll: Hashable, Sendable {
  /// The index of the first visible line.
  private(set) var offset = 0

  /// Adjusts the offset so that the visible lines fill the space, if there are enough lines.
  mutating func clamp(count: Int, room: Int) {
    offset = max(0, min(offset, count - max(room, 1)))
  }

  /// Scrolls by the smallest amount that makes a line visible.
  mutating func show(_ line: Int, count: Int, room: Int) {
    offset = min(offset, line)
    offset = max(offset, line - max(room, 1) + 1)
    clamp(count: count, room: room)
  }

  /// Scrolls if the key is a scroll key; returns `false` for any other key.
  mutating func move(_ key: Key, count: Int, room: Int) -> Bool {
    guard let line = Self.moved(offset, key, last: count - 1, page: room) else { return false }
    offset = line
    clamp(count: count, room: room)
    return true
  }

  /// Returns the line to which a key moves; `nil` if the key does not move.
  static func moved(_ line: Int, _ key: Key, last: Int, page: Int) -> Int? {
    let step = max(page - 1, 1)
    let target: Int
    switch key {
    case .up, .character("k"), .character("\u{10}"): target = line - 1
    case .down, .character("j"), .character("\u{0E}"): target = line + 1
    case .pageUp, .character("\u{02}"): target = line - step
    case .pageDown, .character(" "), .character("\u{06}"): target = line + step
    case .home, .character("g"): target = 0
    case .end, .character("G"): target = last
    default: return nil
    }
    return max(0, min(target, last))
  }
}
