internal import AccessModel
internal import DevicePermissions

/// The devices of one kind, in the order of the list.
struct DeviceList: Sendable {
  /// The nodes of one piece of hardware.
  struct Group: Sendable {
    var listings: [DeviceListing]

    var device: DeviceFacts { listings[0].device }
  }

  let kind: DeviceKind
  let listings: [DeviceListing]

  /// The nodes, grouped by hardware in the order of each group's first node.
  var groups: [Group] {
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    for listing in listings {
      let place = listing.device.hardwarePath
      if let index = indices[place] {
        groups[index].listings.append(listing)
      } else {
        indices[place] = groups.count
        groups.append(Group(listings: [listing]))
      }
    }
    return groups
  }
}
