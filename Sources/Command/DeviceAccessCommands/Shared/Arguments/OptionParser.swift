internal import AccessModel
// The global variables of getopt(3) are not annotated; access them only while `lock` is held.
@unsafe @preconcurrency internal import CGetopt
internal import Glibc
internal import Synchronization

/// Parses arguments with getopt_long(3).
///
/// Long options may be abbreviated if they remain unique. Options and operands may be mixed. `--`
/// ends the options.
enum OptionParser {
  private static let lock = Mutex(())

  /// The code of the first long option, which is greater than the code of any letter.
  private static let firstCode: Int32 = 0x100

  /// Parses the arguments that follow the program's name.
  ///
  /// - Throws: ``UsageError`` if an option is unknown, lacks its value or has an unexpected value,
  ///   or if an argument contains a NUL byte.
  static func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    for argument in arguments where argument.utf8.contains(0) {
      throw UsageError("an argument contains a NUL byte: \(Escaped(argument, limit: 80))")
    }
    return try lock.withLock { (_) throws(UsageError) in try parseLocked(arguments) }
  }

  private static func parseLocked(
    _ arguments: [String]
  ) throws(UsageError) -> ParsedArguments {
    let names = OptionName.allCases
    let spelled =
      names.map { (spelling: $0.rawValue, option: $0) } + OptionName.formerNames
    let vector = CStringVector(["devaccess"] + arguments)
    let longNames = CStringVector(spelled.map(\.spelling))
    var longOptions = unsafe spelled.enumerated().map { index, entry in
      unsafe option(
        name: longNames[index], has_arg: argumentKind(of: entry.option), flag: nil,
        val: code(of: entry.option))
    }
    unsafe longOptions.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
    // "-" returns operands in order, even if POSIXLY_CORRECT is set. ":" gives a missing value a
    // different code than an unknown option.
    let letters = names.reduce(into: "-:") { text, name in
      guard let letter = name.letter else { return }
      text.append(letter)
      if name.valueName != nil { text.append(":") }
    }

    var parsed = ParsedArguments()
    optind = 0  // Resets the state of glibc.
    opterr = 0
    while true {
      let next = max(optind, 1)
      let code = unsafe getopt_long(vector.count, vector.pointer, letters, longOptions, nil)
      switch code {
      case -1:
        let rest = arguments.dropFirst(Int(optind) - 1)
        parsed.operands += rest
        // Before this result, getopt_long(3) skips only `--`.
        if optind > next { parsed.countAfterMark = rest.count }
        return parsed
      case 1:
        unsafe text(optarg).map { parsed.operands.append($0) }
      case Int32(UInt8(ascii: "?")), Int32(UInt8(ascii: ":")):
        throw problem(code, arguments)
      default:
        guard let name = name(of: code) else { throw problem(code, arguments) }
        let value = unsafe name.valueName == nil ? nil : text(optarg)
        parsed.options.append((name, value))
        if code < firstCode { parsed.letters.insert(name) }
      }
    }
  }

  private static func text(_ string: UnsafeMutablePointer<CChar>?) -> String? {
    guard let string = unsafe string else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: string, count: strlen(string))
    return unsafe ByteText(bytes: Array(bytes)).text
  }

  /// Returns no_argument, required_argument or optional_argument of getopt_long(3).
  private static func argumentKind(of name: OptionName) -> Int32 {
    name.valueName == nil ? 0 : name.valueIsOptional ? 2 : 1
  }

  private static func code(of name: OptionName) -> Int32 {
    firstCode + Int32(OptionName.allCases.firstIndex(of: name) ?? 0)
  }

  private static func name(of code: Int32) -> OptionName? {
    if code >= firstCode { return OptionName.allCases[Int(code - firstCode)] }
    return OptionName.allCases.first { name in
      name.letter?.asciiValue.map(Int32.init) == code
    }
  }

  private static func problem(_ code: Int32, _ arguments: [String]) -> UsageError {
    let command = command(in: arguments)
    let name = name(of: optopt)
    if code == Int32(UInt8(ascii: ":")) {
      if let name, let command, !options(of: command).contains(name) {
        return UsageError(
          "'\(command.rawValue)' has no option \(name.typed(optopt < firstCode))", command: command)
      }
      let text = name.map { " \($0.typed(optopt < firstCode))" } ?? ""
      return UsageError(
        "option\(text) needs a value (\(name?.valueName ?? "VALUE"))", command: command)
    }
    if optopt >= firstCode, let name {
      return UsageError("option '--\(name.rawValue)' takes no value", command: command)
    }
    if optopt != 0, let scalar = Unicode.Scalar(UInt8(truncatingIfNeeded: optopt)).utf8Only {
      return UsageError(
        "unknown option '-\(Escaped(String(Character(scalar))))'", command: command)
    }
    let index = Int(optind) - 2
    let text = arguments.indices.contains(index) ? arguments[index] : ""
    return unknown(text, command)
  }

  /// Finds the command in the arguments, for an error about its options.
  private static func command(in arguments: [String]) -> CommandName? {
    arguments.prefix { $0 != "--" }.lazy.compactMap(CommandName.init(rawValue:)).first
  }

  /// Returns the options of a command; without a command, those of `status`.
  private static func options(of command: CommandName?) -> [OptionName] {
    (command ?? .status).command.declaration.options + OptionName.common
  }

  /// Creates an error for a long option that is unknown or ambiguous.
  private static func unknown(_ text: String, _ command: CommandName?) -> UsageError {
    let word = text.drop { $0 == "-" }.prefix { $0 != "=" }
    let names = options(of: command).map(\.rawValue)
    let matches = names.filter { $0.hasPrefix(word) && !word.isEmpty }
    let shown = Escaped(text, limit: 80)
    if matches.count > 1 {
      let list = matches.map { "--\($0)" }.listed(with: "or")
      return UsageError(
        "option '\(shown)' is ambiguous: it could be \(list)", command: command)
    }
    if let near = Suggestion.nearest(to: String(word), in: names) {
      return UsageError(
        "unknown option '\(shown)'; did you mean '--\(near)'?", command: command)
    }
    return UsageError("unknown option '\(shown)'", command: command)
  }
}

extension Unicode.Scalar {
  /// The scalar if it is ASCII, otherwise `nil`.
  ///
  /// getopt_long(3) reports a single byte, which may be part of a multibyte character.
  fileprivate var utf8Only: Unicode.Scalar? { isASCII ? self : nil }
}

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

/// A null-terminated vector of C strings, in the format of `argv`.
@safe struct CStringVector: ~Copyable {
  /// The vector, which is valid during the lifetime of this value.
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  /// The strings in their original order, because getopt_long(3) permutes the vector.
  private let strings: [UnsafeMutablePointer<CChar>?]

  /// Copies the bytes that the strings represent, which must not contain NUL.
  init(_ strings: [String]) {
    unsafe self.strings = strings.map { unsafe strdup(ByteText($0).cString) }
    unsafe pointer = .allocate(capacity: strings.count + 1)
    for index in strings.indices {
      unsafe (pointer + index).initialize(to: self.strings[index])
    }
    unsafe (pointer + strings.count).initialize(to: nil)
  }

  deinit {
    for index in unsafe strings.indices { unsafe free(strings[index]) }
    unsafe pointer.deallocate()
  }

  var count: Int32 { Int32(clamping: unsafe strings.count) }

  /// Accesses a string by its index in the original order.
  subscript(index: Int) -> UnsafePointer<CChar>? {
    unsafe strings[index].map { unsafe UnsafePointer($0) }
  }
}
