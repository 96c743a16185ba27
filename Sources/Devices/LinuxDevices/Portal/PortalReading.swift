package import MessageBus

/// Parses the replies of a portal and the permission store, which may be malformed.
package enum PortalReading {
  /// Returns the answer in a `Response`, or `nil` if the message contains none.
  package static func response(_ values: [BusValue]) -> PortalResponse? {
    guard values.count == 2, let code = values[0].unsigned, values[1].elements != nil else {
      return nil
    }
    return PortalResponse(rawValue: code)
  }

  /// Returns the object path of a request, or `nil` if the values contain none.
  package static func requestPath(_ values: [BusValue]) -> String? {
    guard values.count == 1, let path = values[0].text,
      path.hasPrefix("\(PortalCalls.object)/request/")
    else { return nil }
    return path
  }

  /// Returns the descriptor in a reply, or `nil` if the reply contains none.
  package static func remote(_ values: [BusValue]) -> BusDescriptor? {
    values.count == 1 ? values[0].descriptor : nil
  }

  /// Returns the stored answer for an application from the store's reply to `Lookup`.
  package static func memory(_ values: [BusValue], of application: String) -> PortalMemory {
    guard let entries = values.first?.elements else {
      return .unread("the permission store sent an invalid reply")
    }
    // Each entry contains an application and its permissions, which are a single word for the
    // camera.
    for entry in entries {
      guard let pair = entry.elements, pair.count == 2, let name = pair[0].text,
        let words = pair[1].texts
      else { return .unread("the permission store sent an invalid reply") }
      guard name == application else { continue }
      // The portal treats any other word as a missing answer.
      guard words.count == 1, let answer = PortalStoredAnswer(rawValue: words[0]) else {
        return .unread("the permission store contains an unknown answer")
      }
      return .answer(answer)
    }
    return .nothing
  }

  /// Returns the files in the results of a dialog, or `nil` if the results name none.
  package static func files(_ results: BusValue) -> PortalFileReply? {
    guard let uris = results[key: "uris"]?.elements else { return nil }
    var reply = PortalFileReply(choosing: [])
    var known: Set<String> = []
    for uri in uris {
      guard known.count + reply.unusable.count < PortalFileReply.mostFiles else {
        reply.isComplete = false
        return reply
      }
      guard let uri = uri.text else {
        reply.unusable.append(UnusableURI("", reason: "it is not a string, or it is too long"))
        continue
      }
      do throws(FileURI.Problem) {
        let path = try FileURI.path(uri)
        if known.insert(path).inserted { reply.paths.append(path) }
      } catch {
        reply.unusable.append(UnusableURI(uri, reason: error.clause))
      }
    }
    return reply
  }

  /// Returns the value of a Boolean property, or `nil` for any other value.
  package static func flag(_ values: [BusValue]) -> Bool? {
    values.count == 1 ? values[0].boolean : nil
  }
}
