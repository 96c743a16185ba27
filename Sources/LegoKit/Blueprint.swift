/// The rules by which changes turn one design into the next.
///
/// A blueprint is pure: it looks at nothing but its arguments and does nothing but change the
/// design. What has to happen beside the change is an ``Adaptor``'s work.
///
/// It runs inside the store's lock. To build on that store from there, or to read its design, is a
/// programming error that stops the program at once.
public protocol Blueprint<Design, Change>: Sendable {
  /// What is shown: the state.
  associatedtype Design: Equatable & Sendable
  /// What can happen to it.
  associatedtype Change: Equatable & Sendable
  /// The type of ``brick``, which is the blueprint itself where it is used as a brick.
  associatedtype Value: Sendable = Void

  /// The blueprint that others find under this type in ``Bricks``.
  static var brick: Value { get }

  /// Applies a change to a design.
  func change(_ design: inout Design, on change: Change)
}

extension Blueprint where Value == Void {
  /// Nothing: a blueprint that no other is built of needs no brick.
  public static var brick: Void { () }
}
