public import AccessModel

/// The devices of a kind, and what became different.
public struct ListingChange: Hashable, Sendable {
  /// Every device of the kind as it is now, with the access that the subject has to it.
  public var listings: [DeviceListing]
  /// Those that came since the element before; none in the first.
  public var added: [DeviceListing]
  /// Those that went, as they were.
  ///
  /// One that another took the place of is among these, and the other among ``added``.
  public var removed: [DeviceListing]
  /// Those that are there as before, with another access or other facts.
  public var changed: [DeviceListing]
  /// Whether it is the first element: the state from which the differences of the others count.
  public var isFirst: Bool
  /// What is not told by events, so that it is looked at again after an interval; each with the
  /// reason.
  public var gaps: [Unobserved]

  /// The list, and how it differs from the one before; `nil` for the first one.
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
