import LegoKit

// The two ways to show a design: one store for the program, and one for each screen. A screen here
// is a few lines of text.

/// A line that a person types into.
struct TextLine {
  let label: String
  let text: Glue<String>

  init(_ label: String, text: Glue<String>) {
    self.label = label
    self.text = text
  }

  var drawn: String { "\(label): \(text.wrappedValue)" }

  func type(_ letters: String) {
    text.wrappedValue += letters
  }
}

/// The screen of a program that has one store.
struct AllotmentScreen {
  let lego: Lego<AllotmentBlueprint>

  var lines: [TextLine] {
    [
      TextLine("Plant", text: lego.glue(\.bed.plant, change: { .bed(.plant($0)) })),
      TextLine("Rows", text: lego.glue(\.bed.rows, change: { .bed(.rows($0)) })),
    ]
  }

  var drawn: [String] { [lego.design.title] + lines.map(\.drawn) }

  func pressSow() {
    lego.build(.bed(.onSow))
  }
}

/// A screen that has a store of its own.
struct BedScreen {
  private let lego: Lego<BedBlueprint>

  init(log: LogSink? = nil) {
    lego = .init(.init(), blueprint: BedBlueprint(), enableLogs: log != nil, logSink: log)
  }

  var plant: TextLine { TextLine("Plant", text: lego.glue(\.plant, change: { .plant($0) })) }

  func pressSow() {
    lego.build(.onSow)
  }
}
