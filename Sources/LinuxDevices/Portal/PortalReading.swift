package import MessageBus

/// Reads what a portal and the permission store answer, whatever it is.
package enum PortalReading {
  /// The answer in a `Response`; `nil` for a message that holds none.
  package static func response(_ values: [BusValue]) -> PortalResponse? {
    guard values.count == 2, let code = values[0].unsigned, values[1].elements != nil else {
      return nil
    }
    return PortalResponse(rawValue: code)
  }

  /// The object of a request; `nil` for what is none.
  package static func requestPath(_ values: [BusValue]) -> String? {
    guard values.count == 1, let path = values[0].text,
      path.hasPrefix("\(PortalCalls.object)/request/")
    else { return nil }
    return path
  }

  /// The descriptor in an answer; `nil` where there is none.
  package static func remote(_ values: [BusValue]) -> BusDescriptor? {
    values.count == 1 ? values[0].descriptor : nil
  }

  /// What the store holds for an application, from its answer to `Lookup`.
  package static func memory(_ values: [BusValue], of application: String) -> PortalMemory {
    guard let entries = values.first?.elements else {
      return .unread("the permission store sent an invalid reply")
    }
    // Each entry is an application and its permissions; the camera's are one word.
    for entry in entries {
      guard let pair = entry.elements, pair.count == 2, let name = pair[0].text,
        let words = pair[1].texts
      else { return .unread("the permission store sent an invalid reply") }
      guard name == application else { continue }
      // The portal takes any other word for no answer.
      guard words.count == 1, let answer = PortalStoredAnswer(rawValue: words[0]) else {
        return .unread("the permission store contains an unknown answer")
      }
      return .answer(answer)
    }
    return .nothing
  }

  /// The files in the results of a dialog; `nil` where they name none.
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

  /// The value of a property that is a boolean; `nil` for any other.
  package static func flag(_ values: [BusValue]) -> Bool? {
    values.count == 1 ? values[0].boolean : nil
  }
}
