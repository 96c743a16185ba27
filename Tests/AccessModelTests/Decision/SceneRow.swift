import Testing

/// One row of a table of cases: its subject, a closure that builds it, and the expected answer.
struct SceneRow: Sendable, CustomTestStringConvertible {
  var name: String
  var expected: String
  var build: @Sendable (inout Scene) -> Void

  init(_ name: String, _ expected: String, _ build: @escaping @Sendable (inout Scene) -> Void) {
    self.name = name
    self.expected = expected
    self.build = build
  }

  var testDescription: String { name }

  /// Checks the decision, and that the verdict matches it.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    var scene = Scene()
    build(&scene)
    #expect(scene.answer == expected, sourceLocation: sourceLocation)
    #expect(scene.verdict == expected, sourceLocation: sourceLocation)
  }
}
