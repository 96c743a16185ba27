/// What looks at each screen of a stack for the effects that follow from it, and the stack that was
/// looked at last.
///
/// Two stacks share what they have in common, so that only screens that came, went or changed are
/// looked at, however many there are.
struct ScreenLooks<Part: Blueprint>: Sendable
where Part.Design: Identifiable, Part.Design.ID: Sendable {
  typealias Due = PartLooks<Part.Design.ID, Part>.Due

  private var stack = Stack<Part.Design>()
  private var looks: [Part.Design.ID: Follow<Part>.Look] = [:]

  /// Takes a new stack.
  ///
  /// - Parameters:
  ///   - new: The stack.
  ///   - begin: Makes what looks at a screen that has come.
  /// - Returns: The screens to look at, the lowest first.
  mutating func take(_ new: Stack<Part.Design>, _ begin: () -> Follow<Part>.Look) -> [Due] {
    let (before, after) = new.differences(from: stack)
    stack = new
    for screen in before where !new.contains(id: screen.id) { looks[screen.id] = nil }
    return after.reversed().map { screen in
      let look = looks[screen.id] ?? begin()
      looks[screen.id] = look
      return (screen.id, screen, look)
    }
  }
}
