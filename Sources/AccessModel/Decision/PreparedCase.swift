/// A case that was indexed once, so that many requests can be decided on it.
///
/// Building it costs time linear in the size of the case (and a sort, when its nodes are not in
/// order). A verdict then costs no allocation. Values are immutable and may be shared by threads.
public struct PreparedCase: Sendable {
  /// The case that was indexed.
  public private(set) var access: AccessCase
  var nodes: [PreparedNode]
  var mounts: [PreparedMount]
  var entries: [PreparedACLEntry]
  /// Indexes of nodes: the children of each directory in the order of their names.
  var children: [Int32]
  /// The paths of the nodes and the targets of links, one after another.
  var bytes: [UInt8]
  /// The index of the node `/`, or -1.
  var root: Int32
  var subject: PreparedSubject

  /// Indexes a case; its nodes may come in any order.
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

  /// The same case asked by somebody else: what was indexed does not depend on who asks.
  func asked(by subject: Subject) -> PreparedCase {
    var other = self
    other.access.subject = subject
    other.subject = PreparedSubject(subject)
    other.mapIDs()
    return other
  }

  /// The path of a node.
  func path(of node: Int32) -> String {
    node >= 0 ? access.nodes[Int(node)].path : "/"
  }
}
