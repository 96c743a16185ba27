internal import Synchronization

/// A complete tree of screens: the newest at its root, then all of the left, then all of the right.
///
/// A tree is an enumeration and not an object, so that a screen which nothing else holds is changed
/// without a copy of what it has.
indirect enum PathTree<Element> {
  case leaf(PathStamp, Element)
  case node(PathStamp, Element, PathTree, PathTree)
  /// What stands here while an element is taken out to be changed.
  case none

  /// The newest element.
  var newest: Element? {
    switch self {
    case .leaf(_, let element), .node(_, let element, _, _): element
    case .none: nil
    }
  }

  /// The element at an offset from the newest of a tree that has so many.
  func element(at offset: Int, of weight: Int) -> Element? {
    if offset == 0 { return newest }
    guard case .node(_, _, let left, let right) = self else { return nil }
    let half = weight / 2
    return offset <= half
      ? left.element(at: offset - 1, of: half) : right.element(at: offset - 1 - half, of: half)
  }

  /// The newest element, and the trees below it.
  private var content: (element: Element, left: PathTree, right: PathTree)? {
    switch self {
    case .leaf(_, let element): (element, .none, .none)
    case .node(_, let element, let left, let right): (element, left, right)
    case .none: nil
    }
  }

  /// Changes the element at an offset from the newest of a tree that has so many.
  mutating func change(at offset: Int, of weight: Int, _ body: (inout Element) -> Void) {
    guard var (element, left, right) = content else { return }
    // What the tree holds no more is changed without a copy.
    self = .none
    let half = weight / 2
    if offset == 0 {
      body(&element)
    } else if offset <= half {
      left.change(at: offset - 1, of: half, body)
    } else {
      right.change(at: offset - 1 - half, of: half, body)
    }
    self =
      half == 0
      ? .leaf(PathStamp(), element) : .node(PathStamp(), element, left, right)
  }

  /// Calls a closure with each element, the newest first.
  func visit(_ body: (Element) -> Void) {
    switch self {
    case .leaf(_, let element):
      body(element)
    case .node(_, let element, let left, let right):
      body(element)
      left.visit(body)
      right.visit(body)
    case .none:
      break
    }
  }
}

extension PathTree: Sendable where Element: Sendable {}

extension PathTree {
  /// Calls a closure with the elements of two trees of one size that are not the same, the newest
  /// first, until it answers `false`.
  ///
  /// - Parameters:
  ///   - left: A tree.
  ///   - right: A tree of the same size.
  ///   - isSame: Whether two elements are the same; it is not asked of what the trees share.
  ///   - body: The closure.
  /// - Returns: Whether the closure never answered `false`.
  static func compare(
    _ left: PathTree, _ right: PathTree, by isSame: (Element, Element) -> Bool,
    _ body: (Element, Element) -> Bool
  ) -> Bool {
    switch (left, right) {
    case (.leaf(let stamp, let old), .leaf(let other, let new)):
      stamp == other || isSame(old, new) || body(old, new)
    case (.node(let stamp, let old, let l1, let r1), .node(let other, let new, let l2, let r2)):
      stamp == other
        || (isSame(old, new) || body(old, new)) && compare(l1, l2, by: isSame, body)
          && compare(r1, r2, by: isSame, body)
    default:
      true
    }
  }
}

/// A number that one tree and its copies have, and no other.
struct PathStamp: Equatable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
