/// A name in the requested path or in the target of a symbolic link.
struct NameReference: Hashable, Sendable {
  /// The index of the link's node, or -1 for the path of the request.
  var source: Int32
  var start: Int32
  var count: Int32
}
