public import AccessModel
internal import DeviceWatching
public import LinuxDevices

/// An asynchronous sequence of the current devices of a kind with the access to each, and then of
/// each changed list.
///
/// As for `AnswerChanges`, events trigger observations, and while the consumer is busy, any
/// number of events cause one further observation. The latest list is therefore complete, even if
/// events were lost.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct ListingChanges: AsyncSequence, Sendable {
  public typealias Element = ListingChange
  public typealias Failure = DeviceError

  let kind: DeviceKind
  let changes: FactsScans

  public func makeAsyncIterator() -> Iterator {
    Iterator(kind: kind, scans: changes.makeAsyncIterator())
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let kind: DeviceKind
    private var scans: FactsScans.Iterator
    private var last: (listings: [DeviceListing], gaps: [Unobserved])?

    init(kind: DeviceKind, scans: FactsScans.Iterator) {
      self.kind = kind
      self.scans = scans
    }

    /// Waits for a list that differs from the previous one.
    ///
    /// The first element is the current list.
    ///
    /// - Throws: The errors of ``DeviceService/list(_:for:variation:)``, after which the sequence
    ///   ends. If descriptors, memory or a source of facts are missing in an observation after the
    ///   first one, the sequence tries again, and throws the error only after ten attempts and ten
    ///   intervals.
    /// - Returns: The list; `nil` if the time limit has passed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> ListingChange? {
      while let scan = try await scans.next(isolation: actor) {
        guard let facts = scan.facts[0] else { continue }
        let listings = try listings(facts)
        if let last, last == (listings, scan.gaps) { continue }
        let before = last
        last = (listings, scan.gaps)
        return ListingChange(listings, since: before?.listings, gaps: scan.gaps)
      }
      return nil
    }

    private mutating func listings(_ facts: AccessFacts) throws(DeviceError) -> [DeviceListing] {
      do throws(DeviceError) {
        return try facts.listings(of: kind)
      } catch {
        scans.end()
        throw error
      }
    }
  }
}

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

/// A device, and a subject's access to its node.
public struct DeviceListing: Hashable, Sendable {
  /// The facts about the device from udev and sysfs.
  public var device: DeviceFacts
  /// The allowed access, with reading and writing checked separately; `nil` if it is undetermined.
  public var access: Permissions?
  /// A Boolean value that indicates whether reading and writing at once is allowed.
  ///
  /// Two entries of an access list can each allow only one of them.
  public var allowsBoth: Bool
  /// A Boolean value that indicates whether the node does not exist or has no device behind it.
  ///
  /// In that case, no access is refused, but the device cannot be opened.
  public var isAbsent: Bool

  /// Creates an entry for a list of devices.
  public init(
    device: DeviceFacts, access: Permissions?, allowsBoth: Bool, isAbsent: Bool = false
  ) {
    self.device = device
    self.isAbsent = isAbsent
    self.access = access
    self.allowsBoth = allowsBoth
  }
}

extension AccessFacts {
  /// Returns the devices in a list of the given kind, each with the subject's access to it.
  ///
  /// - Throws: `unavailable` if no device was found and devices could not be observed, because an
  ///   empty list would mean that there is no device.
  public func listings(of kind: DeviceKind) throws(DeviceError) -> [DeviceListing] {
    let devices = kind.members(in: devices)
    if devices.isEmpty,
      let unseen = unobserved.first(where: { $0.layer == Unobserved.devicesLayer })
    {
      throw DeviceError(unlistedBecause: unseen.reason)
    }
    let answers = answers(for: devices, wanting: [.read, .write, [.read, .write]])
    return zip(devices, answers).map(DeviceListing.init(device:answers:))
  }
}

extension DeviceListing {
  /// Creates an entry from the answers for reading, for writing, and for both at once.
  fileprivate init(device: DeviceFacts, answers: [Answer]) {
    // A device whose node exists only elsewhere, such as outside the container, cannot be opened
    // here.
    if device.node == nil, device.systemNode != nil {
      self.init(device: device, access: [], allowsBoth: false)
      return
    }
    guard answers.count == 3, answers[0] != .undetermined, answers[1] != .undetermined else {
      self.init(device: device, access: nil, allowsBoth: false)
      return
    }
    var access: Permissions = []
    if answers[0] == .allowed { access.insert(.read) }
    if answers[1] == .allowed { access.insert(.write) }
    self.init(
      device: device, access: access, allowsBoth: answers[2] == .allowed,
      isAbsent: answers.allSatisfy { $0 == .absent })
  }
}
