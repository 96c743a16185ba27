/// The options or settings that give one device to a container or a service.
///
/// In a container, access depends on the numbers of groups, not on their names. The numbers in the
/// lines are valid only on the observed machine.
public struct ContainerRecipe: Hashable, Sendable {
  /// The engine whose options or settings the lines contain.
  public var engine: ContainerEngine
  /// The node on the observed machine, including its mode, owner, group and device number.
  public var node: Node
  /// The options, settings or manifest lines, in the order in which to write them.
  public var lines: [String]
  /// Additional information for the reader, one sentence per element.
  public var notes: [String]
}

extension AccessFacts {
  /// Returns the options that give a container or a service access to the device at a path.
  ///
  /// - Parameters:
  ///   - engine: The engine that the options are for.
  ///   - path: The path of the device node, or of a link to it.
  ///   - wanted: The access that the program needs.
  /// - Returns: The recipe; `nil` if there is no device node at the path.
  public func recipe(
    for engine: ContainerEngine, at path: String, wanted: Permissions
  ) -> ContainerRecipe? {
    guard let node = access.object(at: path), node.type.isDevice, node.rdev != nil else {
      return nil
    }
    let device = device(at: path)
    let outside = device?.node == node.path ? device?.systemNode : nil
    return RecipeWriter(
      node: node, outside: outside ?? node.path, wanted: wanted.intersection([.read, .write]),
      subject: access.subject,
      names: Names(account, subject: access.subject)
    ).recipe(for: engine)
  }
}
