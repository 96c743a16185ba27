/// A question: whether a subject may use a kind of device or a path.
public struct Question: Hashable, Sendable {
  /// What the question is about.
  public enum Target: Hashable, Sendable {
    /// Every device of a kind, of which the best one answers the question.
    case kind(DeviceKind)
    /// A path as it was given; a relative one is resolved against the working directory.
    case path(String)

    /// Whether they are about the same: two paths that look the same can be two files.
    public static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.kind(let one), .kind(let other)): one == other
      case (.path(let one), .path(let other)): one.isSame(as: other)
      case (.kind, _), (.path, _): false
      }
    }
  }

  /// What the object is to be used for.
  public enum Purpose: Hashable, Sendable {
    /// Opening a device or a file, using a directory.
    case use
    /// Reading the names in a directory.
    case list
    /// Looking up names in a directory: what is no directory is refused, as a path with a final
    /// slash would be.
    case search
    /// Making a new file: in a directory, or under a name that does not exist. A file that
    /// exists is opened with `O_CREAT`.
    case create
    /// Appending to a file, with `O_APPEND`.
    case append
  }

  /// What the question is about.
  public var target: Target
  /// The access wanted; `nil` for what the kind needs, or for what suits the type of the object
  /// at the path (a device or a file: read and write, a directory: read and search).
  public var wanted: Permissions?
  /// A purpose other than ``Purpose/use`` says what is wanted by itself.
  public var purpose: Purpose
  /// Whose access it is about.
  public var subject: SubjectSelector
  /// What would be if that subject were another.
  public var variation: SubjectVariation

  /// Which names of users and groups are looked up: a list of thousands takes a second.
  public enum NameLookup: Hashable, Sendable {
    /// Every name in the facts.
    case all
    /// Those that a short text prints: of the subject, of owners, and of the first list entries.
    case few
    /// None, and no session of a login: a decision alone needs neither.
    case none
  }

  /// The names that the facts hold.
  public var names: NameLookup = .all

  /// Whether udev's rules are read, which takes a few milliseconds.
  public enum RuleLookup: Hashable, Sendable {
    /// They are not.
    case none
    /// They are where the kernel refuses what is wanted of a device.
    case whenRefused
    /// They are where the question is about a device.
    case all
    /// They are, and this file with them, wherever it is.
    case withFile(String)
  }

  /// Whether the facts hold udev's rules.
  public var rules: RuleLookup = .none

  /// The name of the file that a question about creating in a directory is about.
  ///
  /// It stands for any name that is free there; whether a file is called so is not looked at.
  public static let newName = "new-file"

  /// A question, about the calling thread unless another subject is named.
  public init(
    _ target: Target, wanted: Permissions? = nil, purpose: Purpose = .use,
    subject: SubjectSelector = .ownProcess, variation: SubjectVariation = SubjectVariation()
  ) {
    self.target = target
    self.wanted = wanted
    self.purpose = purpose
    self.subject = subject
    self.variation = variation
  }
}
