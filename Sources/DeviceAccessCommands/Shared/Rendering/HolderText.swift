internal import AccessModel

/// The words for what a process belongs to.
struct HolderText: Sendable {
  private let process: HoldingProcess
  private let style: Style

  init(_ process: HoldingProcess, _ style: Style) {
    self.process = process
    self.style = style
  }

  /// The application, the container or the unit, whichever says most; `nil` when none is known.
  var place: String? {
    application ?? container ?? process.unit.map { style.safe($0, limit: 32) }
  }

  /// All of them, each with what it is.
  var details: [String] {
    [
      application.map { "application \($0)" }, container.map { "container \($0)" },
      process.unit.map { "unit \(style.safe($0))" },
    ].compactMap(\.self)
  }

  private var application: String? {
    process.application.map { style.safe($0, limit: 48) }
  }

  private var container: String? {
    process.containerWords?.map { style.safe($0, limit: 48) }.joined(separator: " ")
  }
}
