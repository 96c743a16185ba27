internal import TerminalScreen

/// Which lines of a longer text are seen.
struct TopScroll: Hashable, Sendable {
  /// The first line that is seen.
  private(set) var offset = 0

  /// Moves to where as many lines as there is room for are seen, if there are so many.
  mutating func clamp(count: Int, room: Int) {
    offset = max(0, min(offset, count - max(room, 1)))
  }

  /// Moves as little as possible to where a line is seen.
  mutating func show(_ line: Int, count: Int, room: Int) {
    offset = min(offset, line)
    offset = max(offset, line - max(room, 1) + 1)
    clamp(count: count, room: room)
  }

  /// Moves by a key; tells whether it is one that moves.
  mutating func move(_ key: Key, count: Int, room: Int) -> Bool {
    guard let line = Self.moved(offset, key, last: count - 1, page: room) else { return false }
    offset = line
    clamp(count: count, room: room)
    return true
  }

  /// The line that a key leads to from another; `nil` for a key that does not move.
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
