/// What the command line asks for.
struct Arguments {
  enum Kind: String, CaseIterable {
    case feature
    case service
    case router
  }

  let kind: Kind
  let name: TypeName
  var target: String?
  var testTarget: String?
  var isDryRun = false

  static let help = """
    Usage: swift package lego feature|service|router NAME [OPTION…]

    Writes source that uses LegoKit, with its test, into this package. A file that
    exists is never overwritten.

      feature NAME  a folder with a blueprint and an adaptor
      service NAME  a service, and the property of Contractors that finds it
      router NAME   the state and the routes of a router, and the router

      --target TARGET       where the source goes; needed if there are several targets
      --test-target TARGET  where the test goes; needed if several would do
      --dry-run             print what would be written, and write nothing
      --help                print this help

    Where nobody can answer whether the plugin may write, say so in front:
    swift package --allow-writing-to-package-directory lego feature NAME
    """

  /// Reads the arguments after the verb.
  ///
  /// - Returns: `nil` if they ask for help.
  init?(_ arguments: [String]) throws {
    var words: [String] = []
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch argument {
      case "-h", "--help": return nil
      case "--dry-run": isDryRun = true
      case _ where ["--target", "--test-target"].contains(parts[0]):
        let option = String(parts[0])
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty
        else { throw Self.misuse("\(option) needs the name of a target") }
        guard values.updateValue(value, forKey: option) == nil
        else { throw Self.misuse("\(option) is given twice") }
      case _ where argument.hasPrefix("-"):
        throw Self.misuse("unknown option \(argument.quoted)")
      default: words.append(argument)
      }
    }
    guard let word = words.first else { throw Self.misuse("say what to write") }
    guard let kind = Kind(rawValue: word)
    else { throw Self.misuse("cannot write \(word.quoted); there are \(Self.kinds)") }
    guard words.count > 1 else { throw Self.misuse("the \(word) needs a name") }
    guard words.count == 2 else { throw Self.misuse("unknown argument \(words[2].quoted)") }
    self.kind = kind
    name = try TypeName(words[1], of: kind)
    target = values["--target"]
    testTarget = values["--test-target"]
  }

  private static var kinds: String {
    Kind.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func misuse(_ problem: String) -> ScaffoldError {
    ScaffoldError("\(problem) (see swift package lego --help)")
  }
}

extension StringProtocol {
  /// The text in quotation marks, without a character that a terminal obeys.
  var quoted: String { String(reflecting: String(self)) }
}
