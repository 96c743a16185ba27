internal import AccessModel
internal import MessageBus

/// A desktop's file chooser, or a substitute for tests.
public protocol FilePortal: Sendable {
  /// Asks the user to choose files, which may start the portal.
  ///
  /// When the request times out or the caller's task is cancelled, the dialog is closed.
  ///
  /// - Parameter request: The contents of the dialog.
  /// - Returns: The chosen files, which have not been inspected, or the reason why there are none.
  func choose(_ request: PortalFileRequest) async -> PortalFileReply
}

/// A request to the file chooser.
public struct PortalFileRequest: Hashable, Sendable {
  /// The title of the dialog.
  public var title: String
  /// The label of the button that confirms the choice, in which `_` marks the access key; `nil` for
  /// the desktop's own label.
  public var acceptLabel: String?
  /// The absolute path of the directory to show first; `nil` to let the portal choose.
  ///
  /// A path that no system call accepts is ignored.
  public var folder: String?
  /// The longest time to wait for the user, and for the programs that ask the user.
  public var timeout: Duration
  /// The application identifier to register with the portal first; see
  /// ``PortalRequest/application``.
  public var application: String?

  /// Creates a request.
  public init(
    title: String = "Choose pictures", acceptLabel: String? = nil, folder: String? = nil,
    timeout: Duration = .seconds(600), application: String? = nil
  ) {
    self.title = title
    self.acceptLabel = acceptLabel
    self.folder = folder
    self.timeout = timeout
    self.application = application
  }
}

/// A filter for the files that the dialog shows; the first one is selected initially.
struct PortalFileFilter {
  let name: String
  let mediaTypes: [String]
  let patterns: [String]

  /// A filter for images, then one for all files, because a camera's own format may be unknown.
  ///
  /// The image types are listed individually, because some desktops do not support `image/*`.
  static let all = [
    PortalFileFilter(
      name: "Images",
      mediaTypes: [
        "image/*", "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heif",
        "image/tiff", "image/bmp", "image/svg+xml",
      ], patterns: []),
    PortalFileFilter(name: "All files", mediaTypes: [], patterns: ["*"]),
  ]

  /// The filter as a D-Bus argument; 0 marks a pattern, and 1 marks a media type.
  var argument: BusArgument {
    .structure([
      .text(name),
      .array(
        of: "(us)",
        patterns.map { .structure([.unsigned(0), .text($0)]) }
          + mediaTypes.map { .structure([.unsigned(1), .text($0)]) }),
    ])
  }
}

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

/// A chosen item whose URI is not a valid path of a file.
public struct UnusableURI: Hashable, Sendable {
  /// The URI that the portal sent, truncated to ``longest`` Unicode scalars; untrusted text.
  public let uri: String
  /// The reason why the URI cannot be used, as a clause for a sentence.
  public let reason: String

  /// The maximum length of ``uri`` in Unicode scalars.
  public static let longest = 512

  /// Creates an unusable URI, and truncates its text.
  public init(_ uri: String, reason: String) {
    self.uri = String(String.UnicodeScalarView(uri.unicodeScalars.prefix(Self.longest)))
    self.reason = reason
  }
}

/// Functions for the path in a URI of the scheme `file` (RFC 8089).
package enum FileURI {
  /// The reason why a URI is not the path of a file.
  package enum Problem: String, Error {
    case tooLong = "it is too long for a path"
    case scheme = "it is not a URI of the scheme file"
    case host = "it names another host"
    case relative = "it has no absolute path"
    case query = "it has a query or a fragment"
    case escape = "it contains a malformed escape"
    case slash = "it contains an escaped slash"
    case null = "it contains a NUL byte"
    case control = "it contains a control character"

    /// The problem as a clause for a sentence.
    package var clause: String { rawValue }
  }

  /// The longest URI in bytes: a path with every byte escaped, and the prefix before it.
  package static let longest = 3 * AbsolutePath.longest + 64

  /// Returns the path of a URI.
  ///
  /// The path is not resolved or shortened. Escaped bytes need not be UTF-8.
  ///
  /// - Parameter uri: The URI.
  /// - Throws: The problem with the URI.
  /// - Returns: The absolute path.
  package static func path(_ uri: String) throws(Problem) -> String {
    guard uri.utf8.count <= longest else { throw .tooLong }
    var rest = Array(uri.utf8)[...]
    let scheme = rest.prefix(5).map(lowercase)
    guard scheme == Array("file:".utf8) else { throw .scheme }
    rest = rest.dropFirst(5)
    // Without an authority, the path follows directly (appendix B of the RFC).
    if rest.starts(with: [slash, slash]) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != slash }
      guard host.isEmpty || host.map(lowercase) == Array("localhost".utf8) else { throw .host }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == slash else { throw .relative }
    var path: [UInt8] = []
    path.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { throw .escape }
        let escaped = high << 4 | low
        if escaped == 0 { throw .null }
        // A name cannot contain a slash.
        if escaped == slash { throw .slash }
        path.append(escaped)
      case UInt8(ascii: "?"), UInt8(ascii: "#"): throw .query
      case 0: throw .null
      case 1..<0x20, 0x7F: throw .control
      default: path.append(byte)
      }
    }
    guard path.count < AbsolutePath.longest else { throw .tooLong }
    return ByteText(bytes: path).text
  }

  private static let slash = UInt8(ascii: "/")

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch lowercase(byte) {
    case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
      byte - UInt8(ascii: "0")
    case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
      byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
