/// How to give one device to a container or a service, in numbers.
///
/// In a container the number of a group decides, not its name; the numbers are those of the
/// machine that was observed.
public struct ContainerRecipe: Hashable, Sendable {
  /// Whose options the lines are.
  public var engine: ContainerEngine
  /// The node in the machine, with its mode, owner, group and number.
  public var node: Node
  /// The options, settings or lines of a manifest, in their order.
  public var lines: [String]
  /// What else has to be known, one sentence each.
  public var notes: [String]
}

extension AccessFacts {
  /// The options that give a program the device of this question.
  ///
  /// - Parameters:
  ///   - engine: Whose words to use.
  ///   - path: The path that was asked about; a link is as good as the node.
  ///   - wanted: What the program does with it.
  /// - Returns: `nil` when there is no device node.
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
