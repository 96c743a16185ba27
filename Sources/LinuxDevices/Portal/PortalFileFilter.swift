internal import MessageBus

/// Which files a dialog shows; the person chooses among the filters, and the first one counts until then.
struct PortalFileFilter {
  let name: String
  let mediaTypes: [String]
  let patterns: [String]

  /// Images first, then all files: a file of a camera's own format may have no type that is known.
  ///
  /// A desktop may know types one by one and no `image/*`.
  static let all = [
    PortalFileFilter(
      name: "Images",
      mediaTypes: [
        "image/*", "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heif",
        "image/tiff", "image/bmp", "image/svg+xml",
      ], patterns: []),
    PortalFileFilter(name: "All files", mediaTypes: [], patterns: ["*"]),
  ]

  /// As the portal takes it: 0 stands before a pattern, 1 before a type.
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
