/// A case that is indexed once, so that many requests can be decided on it.
///
/// Indexing takes linear time, plus a sort if the nodes are not in order. A verdict then allocates
/// no memory. Values are immutable and can be shared between threads.
public struct PreparedCase: Sendable {
  /// The case that is indexed.
  public private(set) var access: AccessCase
  var nodes: [PreparedNode]
  var mounts: [PreparedMount]
  var entries: [PreparedACLEntry]
  /// The indexes of the child nodes of each directory, ordered by name.
  var children: [Int32]
  /// The paths of all nodes and the targets of all links, concatenated.
  var bytes: [UInt8]
  /// The index of the node `/`, or -1.
  var root: Int32
  var subject: PreparedSubject

  /// Indexes a case, whose nodes can be in any order.
  public init(_ access: AccessCase) {
    self.access = access
    subject = PreparedSubject(access.subject)
    nodes = []
    mounts = []
    entries = []
    children = []
    bytes = []
    root = -1
    prepareNodes()
    let order = orderedNodes()
    link(order)
    prepareMounts(order)
    translateIDs()
    mapIDs()
  }

  /// Returns this case with another subject.
  ///
  /// The index is reused, because it does not depend on the subject.
  func asked(by subject: Subject) -> PreparedCase {
    var other = self
    other.access.subject = subject
    other.subject = PreparedSubject(subject)
    other.mapIDs()
    return other
  }

  /// Returns the path of a node.
  func path(of node: Int32) -> String {
    node >= 0 ? access.nodes[Int(node)].path : "/"
  }
}
