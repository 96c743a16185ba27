/// A question about whether a subject may use a kind of device or a path.
public struct Question: Hashable, Sendable {
  /// The object of a question.
  public enum Target: Hashable, Sendable {
    /// All devices of a kind; the best one answers the question.
    case kind(DeviceKind)
    /// A path as given; a relative path is resolved against the working directory.
    case path(String)

    /// Returns whether two targets are the same, comparing paths by bytes.
    ///
    /// Two paths that look the same can refer to different files.
    public static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.kind(let one), .kind(let other)): one == other
      case (.path(let one), .path(let other)): one.isSame(as: other)
      case (.kind, _), (.path, _): false
      }
    }
  }

  /// The intended use of an object.
  public enum Purpose: Hashable, Sendable {
    /// Open a device or a file, or use a directory.
    case use
    /// Read the names in a directory.
    case list
    /// Look up names in a directory.
    ///
    /// As with a final slash in a path, anything other than a directory is refused.
    case search
    /// Create a file in a directory, or at a path that does not exist.
    ///
    /// If the file exists, the question is about opening it with `O_CREAT`.
    case create
    /// Open a file with `O_APPEND`.
    case append
  }

  /// The object of the question.
  public var target: Target
  /// The wanted access; `nil` for the default.
  ///
  /// The default for a kind is the access that it needs. The default for a path is read and search
  /// for a directory, and read and write for any other object.
  public var wanted: Permissions?
  /// The intended use; any value other than ``Purpose/use`` determines the access by itself.
  public var purpose: Purpose
  /// The subject whose access is in question.
  public var subject: SubjectSelector
  /// The hypothetical changes to the subject.
  public var variation: SubjectVariation

  /// The names of users and groups to look up.
  ///
  /// Looking up thousands of names takes about a second.
  public enum NameLookup: Hashable, Sendable {
    /// All names in the facts.
    case all
    /// The names that a short text prints: of the subject, the owners and the first ACL entries.
    case few
    /// No names, and no login session; a decision needs neither.
    case none
  }

  /// The names to look up.
  public var names: NameLookup = .all

  /// Determines when to read udev's rules, which takes a few milliseconds.
  public enum RuleLookup: Hashable, Sendable {
    /// The rules are not read.
    case none
    /// The rules are read if the question is about a device, unless the kernel was asked and grants
    /// the access.
    case whenRefused
    /// The rules are read if the question is about a device.
    case all
    /// The rules are read if the question is about a device, together with the file at the given
    /// path, which can be in any directory.
    case withFile(String)
  }

  /// Determines when the facts include udev's rules.
  public var rules: RuleLookup = .none

  /// The name of the file in a question about creating a file in a directory.
  ///
  /// It represents any unused name. An existing file with this name is ignored.
  public static let newName = "new-file"

  /// Creates a question, by default about the calling thread.
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
