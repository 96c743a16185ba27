/// Arguments sorted into options and operands, not yet understood.
struct ParsedArguments: Equatable, Sendable {
  /// The options in their order, with their values.
  var options: [(name: OptionName, value: String?)] = []
  /// The options that were typed as letters.
  var letters: Set<OptionName> = []
  var operands: [String] = []
  /// How many of the operands, from the last, follow `--`; `nil` without it.
  var countAfterMark: Int?

  static func == (left: Self, right: Self) -> Bool {
    left.operands == right.operands && left.countAfterMark == right.countAfterMark
      && left.options.elementsEqual(right.options) { $0.name == $1.name && $0.value == $1.value }
  }

  func contains(_ name: OptionName) -> Bool {
    options.contains { $0.name == name }
  }

  /// The value of an option; the last one counts when it is given twice.
  func value(_ name: OptionName) -> String? {
    options.last { $0.name == name }?.value
  }
}
