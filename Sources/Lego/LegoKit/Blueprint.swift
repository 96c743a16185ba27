/// The rules for turning one design into the next.
///
/// A blueprint is pure: it reads only its arguments, and changes only the design. Side effects
/// belong to an ``Adaptor``.
///
/// It runs inside the store's lock. Building on that store, or reading its design, is a programming
/// error that stops the program at once.
public protocol Blueprint<Design, Change>: Sendable {
  /// The state.
  associatedtype Design: Equatable & Sendable
  /// A change of the state.
  associatedtype Change: Equatable & Sendable
  /// The type of ``brick``.
  ///
  /// A blueprint that is used as a brick declares its own type.
  associatedtype Value: Sendable = Void

  /// The blueprint that ``Bricks`` finds under this type.
  static var brick: Value { get }

  /// Applies a change to a design.
  func change(_ design: inout Design, on change: Change)
}

extension Blueprint where Value == Void {
  /// Nothing.
  ///
  /// A blueprint that is not part of others needs no brick.
  public static var brick: Void { () }
}
