/// The rules for turning one design into the next.
///
/// A blueprint is pure: it reads only its arguments, and changes only the design. Side effects
/// belong in an ``Adaptor``.
///
/// A store calls its blueprint while holding its lock. If the blueprint builds on that store or
/// reads its design, the program traps.
public protocol Blueprint<Design, Change>: Sendable {
  /// The type of the state that the blueprint changes.
  associatedtype Design: Equatable & Sendable
  /// The type of changes that the blueprint applies.
  associatedtype Change: Equatable & Sendable
  /// The type of ``brick``.
  ///
  /// The default is `Void`. A blueprint that is used as a brick declares its own type.
  associatedtype Value: Sendable = Void

  /// The value that ``Bricks`` returns for this blueprint, unless it has been replaced.
  static var brick: Value { get }

  /// Applies a change to a design.
  func change(_ design: inout Design, on change: Change)
}

extension Blueprint where Value == Void {
  /// An empty value, for a blueprint that is not used as a brick.
  public static var brick: Void { () }
}
