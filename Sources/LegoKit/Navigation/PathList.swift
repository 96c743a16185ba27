internal import Synchronization

/// A list of screens whose copies share what they have in common.
///
/// It is a list of complete trees that are the larger the further down they stand (a *skew binary*
/// list). To push or pop costs the same at every depth, also where a copy is kept, and to find or
/// change a screen anywhere takes as many steps as its depth has digits.
struct PathList<Element> {
  fileprivate indirect enum Trees {
    case end
    case tree(weight: Int, PathTree<Element>, Trees)

    var content: (weight: Int, tree: PathTree<Element>, rest: Trees)? {
      if case .tree(let weight, let tree, let rest) = self { (weight, tree, rest) } else { nil }
    }
  }

  private(set) var count = 0
  private var trees = Trees.end

  /// The element on top.
  var newest: Element? {
    if case .tree(_, let tree, _) = trees { tree.newest } else { nil }
  }

  /// All elements, the newest first.
  var newestFirst: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var rest = trees
    while case .tree(_, let tree, let next) = rest {
      tree.visit { elements.append($0) }
      rest = next
    }
    return elements
  }

  mutating func push(_ element: Element) {
    count += 1
    if case .tree(let weight, let first, .tree(let other, let second, let rest)) = trees,
      weight == other
    {
      trees = .tree(weight: 2 * weight + 1, .node(PathStamp(), element, first, second), rest)
    } else {
      trees = .tree(weight: 1, .leaf(PathStamp(), element), trees)
    }
  }

  mutating func pop() -> Element? {
    guard case .tree(let weight, let tree, let rest) = trees else { return nil }
    count -= 1
    switch tree {
    case .leaf(_, let element):
      trees = rest
      return element
    case .node(_, let element, let left, let right):
      trees = .tree(weight: weight / 2, left, .tree(weight: weight / 2, right, rest))
      return element
    case .none:
      return nil
    }
  }

  /// The element at an offset from the top.
  func element(at offset: Int) -> Element? {
    var offset = offset
    var rest = trees
    while case .tree(let weight, let tree, let next) = rest {
      if offset < weight { return tree.element(at: offset, of: weight) }
      offset -= weight
      rest = next
    }
    return nil
  }

  /// Changes the element at an offset from the top.
  mutating func change(at offset: Int, _ body: (inout Element) -> Void) {
    Self.change(&trees, at: offset, body)
  }

  private static func change(
    _ trees: inout Trees, at offset: Int, _ body: (inout Element) -> Void
  ) {
    guard case (let weight, var tree, var rest)? = trees.content else { return }
    // What the list holds no more is changed without a copy.
    trees = .end
    if offset < weight {
      tree.change(at: offset, of: weight, body)
    } else {
      change(&rest, at: offset - weight, body)
    }
    trees = .tree(weight: weight, tree, rest)
  }
}

extension PathList: Sendable where Element: Sendable {}
extension PathList.Trees: Sendable where Element: Sendable {}

extension PathList: Equatable where Element: Equatable {
  static func == (left: PathList, right: PathList) -> Bool {
    left.count == right.count && compare(left, right, by: ==) { _, _ in false }
  }
}

extension PathList {
  /// Calls a closure with the elements of two lists of one length that are not the same, the newest
  /// first, until it answers `false`.
  private static func compare(
    _ left: PathList, _ right: PathList, by isSame: (Element, Element) -> Bool,
    _ body: (Element, Element) -> Bool
  ) -> Bool {
    // Lists of one length consist of trees of the same sizes.
    var (rest, other) = (left.trees, right.trees)
    while case .tree(_, let first, let next) = rest,
      case .tree(_, let second, let following) = other
    {
      guard PathTree.compare(first, second, by: isSame, body) else { return false }
      (rest, other) = (next, following)
    }
    return true
  }

  /// What differs between an earlier list and this one: what stood at a place, and what stands
  /// there, the newest first.
  ///
  /// It takes as long as there are differences, whatever the two share.
  ///
  /// - Parameters:
  ///   - earlier: The earlier list.
  ///   - isSame: Whether two elements are the same; it is not asked of what the lists share.
  /// - Returns: The elements.
  func differences(
    from earlier: PathList, by isSame: (Element, Element) -> Bool
  ) -> (before: [Element], after: [Element]) {
    var (old, new) = (earlier, self)
    var (before, after) = ([Element](), [Element]())
    while old.count > new.count, let element = old.pop() { before.append(element) }
    while new.count > old.count, let element = new.pop() { after.append(element) }
    _ = Self.compare(old, new, by: isSame) { old, new in
      before.append(old)
      after.append(new)
      return true
    }
    return (before, after)
  }
}

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
