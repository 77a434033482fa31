/* Describes messages to the record of the timing model. */
#ifndef CMKIT_SIM_MESSAGE_NOTE_H
#define CMKIT_SIM_MESSAGE_NOTE_H

#include "sim/message/request.h"

/* The request is about to be performed, and message->state->record is not NULL. */
void message_note(struct request *request);

#endif
