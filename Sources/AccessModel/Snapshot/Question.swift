/// What somebody wants to know: whether a subject may use a kind of device, or a path.
public struct Question: Hashable, Sendable {
  public enum Target: Hashable, Sendable {
    case kind(DeviceKind)
    /// A path as it was given; a relative one is resolved against the working directory.
    case path(String)
  }

  public var target: Target
  /// The access wanted; `nil` for what the kind needs, or for what suits the type of the object
  /// at the path (a device or a file: read and write, a directory: read and search).
  public var wanted: Permissions?
  /// Whose access it is about.
  public var subject: SubjectSelector
  /// What would be if that subject were another.
  public var variation: SubjectVariation

  /// A question, about the calling thread unless another subject is named.
  public init(
    _ target: Target, wanted: Permissions? = nil, subject: SubjectSelector = .ownProcess,
    variation: SubjectVariation = SubjectVariation()
  ) {
    self.target = target
    self.wanted = wanted
    self.subject = subject
    self.variation = variation
  }
}
