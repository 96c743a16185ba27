internal import MessageBus

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
