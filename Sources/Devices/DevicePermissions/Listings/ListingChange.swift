public import AccessModel

/// The devices of a kind, and the differences from the previous list.
public struct ListingChange: Hashable, Sendable {
  /// The current devices of the kind, each with the subject's access to it.
  public var listings: [DeviceListing]
  /// The devices that were added since the previous element; empty for the first element.
  public var added: [DeviceListing]
  /// The devices that were removed, as they were before.
  ///
  /// If another device replaced one, the old device is in this array and the new one in ``added``.
  public var removed: [DeviceListing]
  /// The devices that still exist, but whose access or facts have changed.
  public var changed: [DeviceListing]
  /// A Boolean value that indicates whether this is the first element, which is the initial state.
  public var isFirst: Bool
  /// The objects that send no events and are polled instead, each with the reason.
  public var gaps: [Unobserved]

  /// Creates a change by comparing a list with the previous one, which is `nil` for the first list.
  init(_ listings: [DeviceListing], since before: [DeviceListing]?, gaps: [Unobserved]) {
    self.listings = listings
    self.gaps = gaps
    isFirst = before == nil
    (added, removed, changed) = ([], [], [])
    guard let before else { return }
    var earlier = Dictionary(before.map { ($0.device.sysfsPath, $0) }) { first, _ in first }
    for listing in listings {
      let path = listing.device.sysfsPath
      guard let known = earlier[path], !listing.device.hasReplaced(known.device) else {
        added.append(listing)
        continue
      }
      earlier[path] = nil
      if listing != known { changed.append(listing) }
    }
    removed = before.filter { earlier[$0.device.sysfsPath] != nil }
  }
}
