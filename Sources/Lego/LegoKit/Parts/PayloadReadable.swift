/// An enum whose payload can be read without naming the case.
///
/// If the changes of a feature adopt it, a part is plugged in by the name of its case:
///
/// ```swift
/// enum Change: Equatable, Sendable, PayloadReadable {
///   case hall(Room.Change)
///   case room(Int, Room.Change)
///   case clean
///
///   var payload: Any? {
///     switch self {
///     case .hall(let change): change
///     case .room(let id, let change): (id, change)
///     case .clean: nil
///     }
///   }
/// }
///
/// let house = Feature(House())
///   .part(\.hall, .case(House.Change.hall), room)
///   .each(\.rooms, .case(House.Change.room), room)
/// ```
public protocol PayloadReadable: Equatable, Sendable {
  /// The value that the case contains, a tuple if there are several, or `nil` if there is none.
  ///
  /// A case whose payload is missing here has no part. Write the `switch` without `default`, so that
  /// the compiler asks for the payload of each new case.
  var payload: Any? { get }
}

extension PayloadReadable {
  /// Returns the payload if this value is of one case.
  ///
  /// - Parameter embed: The case.
  /// - Returns: The payload, or `nil` if this value is of another case.
  func payload<Part>(of embed: (Part) -> Self) -> Part? {
    guard let part = payload as? Part else { return nil }
    // Another case may have a payload of the same type.
    let same = embed(part)
    if same == self { return part }
    // A value that differs from itself, such as one that contains a NaN, is found by the case's name.
    return self != self && same.caseName == caseName ? part : nil
  }

  /// The name of the case, which takes much longer to find than a payload.
  private var caseName: String? { Mirror(reflecting: self).children.first?.label }
}
