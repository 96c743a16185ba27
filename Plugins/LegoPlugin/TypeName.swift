/// The beginning of the names of the types to write.
struct TypeName {
  /// The name as it begins a type's, such as `URLReader`.
  let type: String

  /// The name as a property's, such as `urlReader`.
  let property: String

  /// Checks a name.
  ///
  /// A name that ends in its kind is taken without it: the service `WeatherService` is `Weather`.
  init(_ name: String, of kind: Arguments.Kind) throws {
    let suffix = kind.rawValue.capitalizedFirst
    let repeats = name.hasSuffix(suffix) && name != suffix
    type = repeats ? String(name.dropLast(suffix.count)) : name
    property = Self.property(type)
    guard let first = type.first, first.isASCII, first.isUppercase,
      type.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      throw ScaffoldError(
        "\(name.quoted) cannot begin the name of a type: use A to Z, a to z and 0 to 9, "
          + "and a capital letter first")
    }
    guard type.count <= Self.longest else {
      throw ScaffoldError("the name is too long: \(Self.longest) letters are the most")
    }
    guard !Self.keywords.contains(type) else {
      throw ScaffoldError("\(type) is a keyword of Swift: choose another name")
    }
    if kind == .service, Self.keywords.contains(property) {
      throw ScaffoldError(
        "the service's property would be \(property), a keyword of Swift: choose another name")
    }
    if kind == .service, Self.taken.contains(property) {
      throw ScaffoldError("LegoKit has a service \(property) already: choose another name")
    }
  }

  /// With longer ones, lines would be longer than the format allows.
  private static let longest = 29

  /// The services of LegoKit.
  private static let taken: Set = ["clock", "logSink", "problemSink"]

  private static let keywords = Set(
    """
    Any Protocol Self Type as associatedtype break case catch class continue default defer deinit
    do else enum extension fallthrough false fileprivate for func guard if import in init inout
    internal is let nil operator precedencegroup private protocol public repeat rethrows return
    self static struct subscript super switch throw throws true try typealias var where while
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Lowers the capital letters that the name begins with, save the one that begins its next word.
  private static func property(_ type: String) -> String {
    var capitals = type.prefix(while: \.isUppercase)
    let rest = type.dropFirst(capitals.count)
    if capitals.count > 1, rest.first?.isLowercase == true { capitals.removeLast() }
    return capitals.lowercased() + type.dropFirst(capitals.count)
  }
}

extension String {
  /// The text with a capital letter first.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
