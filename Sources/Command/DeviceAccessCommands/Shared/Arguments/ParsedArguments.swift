/// Arguments that are separated into options and operands, but not yet interpreted.
struct ParsedArguments: Equatable, Sendable {
  /// The options and their values, in the order in which they were given.
  var options: [(name: OptionName, value: String?)] = []
  /// The options that were typed as letters.
  var letters: Set<OptionName> = []
  var operands: [String] = []
  /// The number of operands after `--`; `nil` if the arguments do not contain `--`.
  var countAfterMark: Int?

  static func == (left: Self, right: Self) -> Bool {
    left.operands == right.operands && left.countAfterMark == right.countAfterMark
      && left.options.elementsEqual(right.options) { $0.name == $1.name && $0.value == $1.value }
  }

  func contains(_ name: OptionName) -> Bool {
    options.contains { $0.name == name }
  }

  /// Returns the value of an option; if it is given more than once, the last value counts.
  func value(_ name: OptionName) -> String? {
    options.last { $0.name == name }?.value
  }
}
