/// The answer of the portal of files.
public struct PortalFileReply: Hashable, Sendable {
  /// How the request ended: `granted` where the person chose.
  public var outcome: PortalOutcome
  /// The absolute paths of the files, each once, in the order of the portal; untrusted text.
  ///
  /// For a program in a sandbox they lie where the portal of documents shows them, such as
  /// `/run/user/1000/doc/ID/NAME`.
  public var paths: [String]
  /// What was chosen and is not the path of a file.
  public var unusable: [UnusableURI]
  /// Whether these are all; false where more than ``mostFiles`` were chosen.
  public var isComplete: Bool

  /// How many of the chosen files are told.
  public static let mostFiles = 1_000

  /// A reply without files.
  public init(_ outcome: PortalOutcome) {
    self.outcome = outcome
    paths = []
    unusable = []
    isComplete = true
  }

  /// The files that a person chose.
  public init(choosing paths: [String], unusable: [UnusableURI] = [], isComplete: Bool = true) {
    outcome = .granted
    self.paths = paths
    self.unusable = unusable
    self.isComplete = isComplete
  }
}
