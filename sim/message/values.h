/* Moves the shadow of unwritten values (sim/check/init.h) with a message. */
#ifndef CMKIT_SIM_MESSAGE_VALUES_H
#define CMKIT_SIM_MESSAGE_VALUES_H

#include "sim/check/init.h"
#include "sim/message/request.h"

/* Reports uninitialized addresses and operands, and performs the message on the shadow: memory's goes to that of
 * registers, or the other way. Call it before the message itself is performed, when message->values is there. */
void message_move_values(struct request *request);

#endif
