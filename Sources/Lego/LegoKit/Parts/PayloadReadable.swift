/// An enum whose payload can be read without naming the case.
///
/// If the changes of a feature conform to this protocol, plugging in a part needs only its case:
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
  /// The associated value of the case, a tuple if there are several, or `nil` if there is none.
  ///
  /// If the property returns `nil` for a case, that case never reaches a part. Write the `switch`
  /// without `default`, so that the compiler requires the payload of each new case.
  var payload: Any? { get }
}

extension PayloadReadable {
  /// Returns the payload if this value is the given case.
  ///
  /// - Parameter embed: Creates the case from a payload.
  /// - Returns: The payload, or `nil` if this value is a different case.
  func payload<Part>(of embed: (Part) -> Self) -> Part? {
    guard let part = payload as? Part else { return nil }
    // Another case may have a payload of the same type.
    let same = embed(part)
    if same == self { return part }
    // A value that contains a NaN does not equal itself, so compare the names of the cases instead.
    return self != self && same.caseName == caseName ? part : nil
  }

  /// The name of the case, which takes much longer to read than the payload.
  private var caseName: String? { Mirror(reflecting: self).children.first?.label }
}
