/// The file chooser's reply to a request.
public struct PortalFileReply: Hashable, Sendable {
  /// The outcome of the request, which is `granted` if the user chose files.
  public var outcome: PortalOutcome
  /// The absolute paths of the chosen files without duplicates, in the portal's order; untrusted
  /// text.
  ///
  /// For a sandboxed program, the paths are in the document portal's filesystem, such as
  /// `/run/user/1000/doc/ID/NAME`.
  public var paths: [String]
  /// The chosen items that are not paths of files.
  public var unusable: [UnusableURI]
  /// A Boolean value that indicates whether all chosen files are listed.
  ///
  /// The value is `false` if the user chose more than ``mostFiles`` files.
  public var isComplete: Bool

  /// The maximum number of chosen files that a reply lists.
  public static let mostFiles = 1_000

  /// Creates a reply without files.
  public init(_ outcome: PortalOutcome) {
    self.outcome = outcome
    paths = []
    unusable = []
    isComplete = true
  }

  /// Creates a reply with the files that the user chose.
  public init(choosing paths: [String], unusable: [UnusableURI] = [], isComplete: Bool = true) {
    outcome = .granted
    self.paths = paths
    self.unusable = unusable
    self.isComplete = isComplete
  }
}
